// A lesson: one step after another, each a position and something to do there. The page knows the
// right moves; the house explains why other attempts are no moves.
import { sparkle } from "./celebrate.js";
import { h, need } from "./dom.js";
import { keepLesson, lesson as kept } from "./memory.js";
import { StudyBoard, study } from "./study_board.js";
import { block, fill, ruleAddress, say } from "./words.js";
import "./sit_down.js";
import "./notebook.js"; // it stores the progress

/** @typedef {import("./types.js").ShownMove} ShownMove */
/** The moves that are right: any, or those that are listed, with the reply where more follow.
 * @typedef {{any: boolean, moves: Record<string, {move: string, then: Right} | null>, shown: ShownMove | null}} Right */
/**
 * @typedef {{id: string, task: boolean, position: string, line: string[], seat: number, ask: string, done: string,
 *   other: string, rule: string, refused: string | null, point: string[], hint: string,
 *   attempt: string[], right: Right}} Step
 */

/** @type {{steps: Step[], say: Record<string, string>, goal: string}} */
const { steps, say: sentences, goal } = block("lesson");
const page = need("learn");
const slug = page.dataset.game ?? "";
const tasks = steps.filter((step) => step.task).length;
/** The name of a cell in the words of a lesson. */
const CELL = /\b([a-z]\d{1,2})\b/;
/** How long a reply is waited for, so that the eye can follow one move and then the other. */
const REPLY_MS = 700;

/** The index of the present step; `steps.length` at the end of the lesson. */
let at = 0;
/** The steps that are done, by their ids. @type {Set<string>} */
const done = new Set();
/** The moves that are right now: after a reply, its continuations. @type {Right} */
let right = { any: false, moves: {}, shown: null };
/** The number of positions requested; late answers are not shown. */
let asked = 0;
/** The cells that the words of this step name: each has a number, there and on the board. @type {string[]} */
let named = [];

/** A board that may also ask to point at something, whatever it is. */
class LessonBoard extends StudyBoard {
  /** @param {string[]} atoms */
  async explain(atoms) {
    const { point } = steps[at];
    if (!point.length) return super.explain(atoms);
    const place = atoms.at(-1) ?? "";
    this.board.light({ chosen: [place] });
    return point.includes(place) ? finishStep() : wrong();
  }
}

const board = new LessonBoard(need("board"), slug, need("choices"), {
  play: (move) => void play(move),
  refused: (why) => why && refused(why),
  asked: (words) => {
    if (board?.input?.path.length) tell("", words);
    else if (need("answer").className === "answer") tell("");
  },
});

/** Say something under the request. @param {string} kind @param {...(string | Node)} words */
function tell(kind, ...words) {
  const answer = need("answer");
  answer.className = `answer ${kind}`.trim();
  answer.replaceChildren(...words);
}

/**
 * Words in which cells are numbers that stand on the board as well; a screen reader hears their names.
 * @param {string} words
 * @returns {(string | Node)[]}
 */
function pointing(words) {
  const cells = new Set(board.board.scene?.cells.map(({ id }) => id));
  const parts = words.split(CELL).map((part) => {
    if (!cells.has(part)) return part;
    if (!named.includes(part)) named.push(part);
    return h("b", { class: "spot", "data-number": String(named.indexOf(part) + 1) }, h("span", { class: "unseen" }, part));
  });
  board.pointOut(named.map((cell, index) => ({ text: "", label: cell, atoms: [cell], ways: [], badge: String(index + 1) })));
  return parts;
}

/** Offer one of the two buttons that lead on, or to skip the step. @param {"" | "next" | "retry"} which */
function offer(which) {
  for (const id of ["next", "retry"]) need(id).hidden = id !== which;
  need("skip").hidden = which !== "";
  need("show").hidden = which === "next";
  if (which) need(which).focus({ preventScroll: true });
}

/** Show the present step from its beginning. @param {boolean} [focus] */
async function begin(focus = true) {
  const over = at >= steps.length;
  for (const part of [need("count"), need("restart")]) part.hidden = over;
  page.classList.toggle("over", over);
  need("finish").classList.toggle("reached", over);
  remember();
  if (over) return end(focus);
  const step = steps[at];
  right = step.right;
  tell("");
  offer("");
  need("back").toggleAttribute("disabled", at === 0);
  const number = fill(sentences[step.task ? "task" : "step"], step.task
    ? { number: at - (steps.length - tasks) + 1, of: tasks } : { number: at + 1, of: steps.length - tasks });
  need("count").textContent = number;
  [...need("dots").children].forEach((dot, index) => {
    dot.classList.toggle("done", done.has(steps[index].id));
    dot.classList.toggle("here", index === at);
  });
  named = [];
  const request = need("request");
  const before = [h("span", { class: "unseen" }, `${number}. `), ...(at ? [] : [h("span", { class: "goal" }, goal), " "])];
  request.replaceChildren(...before, step.ask);
  if (focus) need("board").focus({ preventScroll: true });
  const found = await look([]);
  if (!found) return;
  // Where something is to be pointed at, nothing is to be chosen: everything is.
  await board.show(step.point.length ? { ...found, choices: {} } : found);
  request.replaceChildren(...before, ...pointing(step.ask));
  page.dataset.step = step.id; // it can be done from now on
  if (!step.point.length) board.board.showMost([...board.input.next, ...step.hint.split(/[-–\s]+/)]);
}

/**
 * Leave on the board what the last step reached, lit, with the ways on under it.
 * @param {boolean} came  whether the reader has just come here
 */
async function end(came) {
  const last = steps.length - 1;
  need("dots").children[last].classList.remove("here");
  if (came) need("finish-heading").focus({ preventScroll: true });
  const { id, right: { shown } } = steps[last];
  const reached = page.dataset.step === id && done.has(id) ? board.position : await look(shown ? [shown.text] : []);
  if (!reached || at < steps.length) return;
  await board.show(reached, { closed: true });
  const { outcome, last: move } = board.position ?? {};
  if (!outcome?.cells.length) board.board.light({ chosen: move?.atoms.slice(-1) ?? [] });
  if (came) sparkle([...document.querySelectorAll("#board .mark:is(.end, .chosen)")]);
}

/**
 * The position after some moves of the step; null if it could not be had, or is no longer wanted.
 * @param {string[]} moves
 */
async function look(moves) {
  const { position, line, seat } = steps[Math.min(at, steps.length - 1)];
  const mine = ++asked;
  const found = await study(slug, { position, line: [...line, ...moves], as: seat }).catch(() => null);
  if (mine !== asked) return null;
  if (!found) tell("no", say("failed"));
  return found;
}

/** @param {string} move */
async function play(move) {
  const made = (board.position?.line ?? []).slice(steps[at].line.length);
  const fits = right.any || Object.hasOwn(right.moves, move);
  const follows = fits ? right.moves[move] ?? null : null;
  const after = await look([...made, move]);
  if (!after) return offer("retry");
  const lasts = await board.show(after, { animate: true, closed: true });
  if (!fits) return wrong();
  if (!follows) return finishStep(after.outcome?.text);
  const mine = asked;
  await new Promise((go) => setTimeout(go, lasts + REPLY_MS));
  if (mine !== asked) return;
  const answered = await look([...made, move, follows.move]);
  if (!answered) return;
  right = follows.then;
  await board.show(answered, { animate: true });
  tell("yes", fill(sentences.reply, { sentence: answered.sentence }));
}

/** The step is done. @param {...(string | Node | undefined)} before what is said first */
function finishStep(...before) {
  const step = steps[at];
  done.add(step.id);
  need("dots").children[at].classList.add("done");
  remember();
  const why = before.filter((words) => words).map((words) => h("span", { class: "why" }, /** @type {string} */ (words)));
  tell("yes", ...why, step.done, " ", ruleLink(step.rule));
  offer("next");
}

/** The player made another legal move. */
function wrong() {
  tell("no", ...pointing(steps[at].other));
  offer("retry");
}

/** The rules forbid the attempt, which may be the point of the step. @param {{text: string, rule?:
 * string | null}} why
 */
function refused(why) {
  if (why.rule && why.rule === steps[at].refused) {
    const { path, refused: cells } = board.input;
    board.input.set(null);
    board.board.light({ chosen: path, refused: cells });
    return finishStep(why.text);
  }
  tell("no", why.text, " ", why.rule ? ruleLink(why.rule) : "");
}

/** @param {string} rule */
function ruleLink(rule) {
  return h("a", { href: ruleAddress(rule) }, say("read-rule"));
}

/** Store the progress in the browser. */
function remember() {
  keepLesson(slug, { at: steps[at]?.id ?? "", done: [...done], of: steps.length });
}

/** @param {number} step */
function go(step) {
  at = Math.max(0, Math.min(steps.length, step));
  void begin();
}

function restart() {
  done.clear();
  go(0);
}

need("next").addEventListener("click", () => go(at + 1));
need("skip").addEventListener("click", () => go(at + 1));
need("back").addEventListener("click", () => go(at - 1));
need("retry").addEventListener("click", () => void begin());
need("restart").addEventListener("click", restart);
need("again").addEventListener("click", restart);
need("show").addEventListener("click", async () => {
  if (!need("retry").hidden) await begin();
  const { shown } = right;
  const { point, attempt } = steps[at];
  const atoms = point.length ? point.slice(0, 1) : attempt;
  board.pointOut([shown ?? { text: "", label: "", atoms, ways: attempt.length > 1 ? [attempt] : [] }]);
  tell("", fill(sentences.example, { move: shown?.label ?? steps[at].hint }));
  need("board").focus({ preventScroll: true });
});

need("bar").append(need("finish")); // without scripts it stands under the steps

const before = kept(slug);
for (const { id } of steps) if (before.done.includes(id)) done.add(id);
const known = steps.findIndex((step) => step.id === before.at);
at = known >= 0 ? known : done.size === steps.length ? steps.length : 0;
void begin(false);
