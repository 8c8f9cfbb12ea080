// A puzzle: the reader finds the move, the others defend themselves, and a mistake is refuted on
// the board. The house judges each move; its judgements are proven.
import { ask } from "./ask.js";
import { celebrate } from "./celebrate.js";
import { h, need } from "./dom.js";
import { fail, isSolved, showRecord, solve } from "./puzzle_record.js";
import { wireSheet } from "./sheet.js";
import { sound } from "./sound.js";
import { tempo } from "./speed.js";
import { StudyBoard, study } from "./study_board.js";
import { address, block, lang, ruleAddress, say } from "./words.js";
import "./notebook.js"; // it stores the progress

/** @typedef {import("./types.js").PuzzleVerdict} PuzzleVerdict */
/** @typedef {import("./types.js").PuzzleHint} PuzzleHint */
/** @typedef {import("./types.js").StudyPosition} StudyPosition */

/**
 * The puzzle with its solution, its rating and the error of that, and the day whose puzzle it is.
 * @type {{
 *   game: string, id: string, position: string, turned: boolean, others: string[],
 *   solution: string[], rating: [number, number], day: string,
 * }}
 */
const puzzle = block("puzzle");
const name = `${puzzle.game}/${puzzle.id}`;

/** The moves so far, replies too: all of them right. @type {string[]} */
let line = [];
/** How many hints were given about the next move. */
let hints = 0;
/** Whether there was no mistake yet and the move was not shown. */
let clean = true;
/** Counts what is under way: what comes back later than the reader's next wish is dropped. */
let turn = 0;

const announcements = need("announcements");
const retry = need("retry");
const next = /** @type {HTMLAnchorElement} */ (need("next"));
const hintButton = /** @type {HTMLButtonElement} */ (need("hint"));
const solutionButton = need("solution");

const board = new StudyBoard(need("board"), puzzle.game, need("choices"), {
  play: (move) => void play(move),
  asked: (words) => need("asked").replaceChildren(board?.input?.path.length ? words : ""),
  at: (words) => need("pointed").replaceChildren(words),
  refused: (why) => {
    if (!why) return;
    tell("no", why.text, rule(why.rule));
    sound("refused");
  },
});
board.board.flipped = puzzle.turned;

/** A link to a paragraph. @param {string | null | undefined} cited */
const rule = (cited) => (cited ? h("a", { href: ruleAddress(cited), target: "_blank", rel: "noopener" }, say("read-rule")) : null);

/** @param {"" | "yes" | "no"} kind @param {...(string | Node | null)} words */
function tell(kind, ...words) {
  announcements.className = `answer ${kind || "aside"}`;
  announcements.replaceChildren(...words.flatMap((word) => (word ? [word, " "] : [])));
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The position after some moves. @param {string[]} moves */
const reach = (moves) => study(puzzle.game, { position: puzzle.position, line: moves, open: true });

/** @param {unknown} error */
function failed(error) {
  const { message } = /** @type {{message?: string, code?: string}} */ (error ?? {});
  tell("no", error instanceof TypeError ? say("failed") : message || say("failed"));
}

/** Show the position after the right moves so far, and let the solver choose. */
async function open() {
  const now = ++turn;
  retry.hidden = true;
  hints = 0;
  showHintButton();
  const position = await reach(line);
  if (now === turn) await board.show(position);
}

/** Begin, or begin again. */
async function begin() {
  line = [];
  next.hidden = true;
  solutionButton.hidden = false;
  tell("");
  await open().catch(failed);
}

/**
 * A move of the solver: it is seen at once, then the house says what it is worth.
 * @param {string} move
 */
async function play(move) {
  const now = ++turn;
  const moves = [...line, move];
  tell("", say("puzzle-thinking"));
  try {
    const [after, verdict] = await Promise.all([
      reach(moves),
      /** @type {Promise<PuzzleVerdict>} */ (ask(`/api/games/${puzzle.game}/puzzles/${puzzle.id}/try`, { body: { line: moves, lang } })),
    ]);
    if (now !== turn) return;
    sound("own");
    await pause(await board.show(after, { animate: true, closed: true }));
    if (now === turn) await judged(verdict, moves, now);
  } catch (error) {
    if (now !== turn) return;
    await board.reopen();
    failed(error);
  }
}

/**
 * @param {PuzzleVerdict} verdict
 * @param {string[]} moves
 * @param {number} now
 */
async function judged({ verdict, text, replies }, moves, now) {
  if (verdict === "solved") {
    const end = await answer(moves, replies, now); // others may complete the last trick
    if (end && now === turn) finish(text);
    return undefined;
  }
  if (verdict === "slower") {
    tell("", text);
    sound("refused");
    await pause(tempo(/** @type {any} */ ({ clock: null })).breath * 2);
    if (now === turn) await open();
    return undefined;
  }
  tell(verdict === "right" ? "yes" : "no", text);
  if (verdict === "wrong") {
    miss();
    sound("refused");
  }
  const after = await answer(moves, replies, now);
  if (!after || now !== turn) return undefined;
  if (verdict === "wrong") {
    retry.hidden = false;
    retry.focus();
    return undefined;
  }
  line = after.line;
  hints = 0;
  showHintButton();
  return board.show(after);
}

/**
 * The others' moves, one after the other.
 * @param {string[]} moves
 * @param {string[]} replies
 * @param {number} now
 * @returns {Promise<StudyPosition | null>}  what stands there then
 */
async function answer(moves, replies, now) {
  /** @type {StudyPosition | null} */
  let after = board.position;
  for (let count = 1; count <= replies.length; count++) {
    const [shown] = await Promise.all([
      reach([...moves, ...replies.slice(0, count)]),
      pause(tempo(/** @type {any} */ ({ clock: null })).breath),
    ]);
    if (now !== turn) return null;
    after = shown;
    sound("other");
    await pause(await board.show(shown, { animate: true, closed: true }));
    if (now !== turn) return null;
  }
  return after;
}

/** @param {string} text */
function finish(text) {
  tell("yes", text);
  sound("end");
  solve(name, clean, puzzle.rating, puzzle.day);
  showRecord();
  goOn();
  const turns = board.position?.outcome;
  if (turns) celebrate(/** @type {any} */ ({ outcome: turns, you: { seats: [] } }));
}

/** A mistake, or the move was shown. */
function miss() {
  clean = false;
  fail(name, puzzle.rating);
  showRecord();
}

/** Offer the next puzzle, and nothing else. */
function goOn() {
  hintButton.hidden = true;
  solutionButton.hidden = true;
  retry.hidden = true;
  next.href = address(`/puzzles/${puzzle.game}/${following()}`);
  next.hidden = false;
  next.focus();
}

/** Play the solution on the board: from here if the moves so far belong to it, else from the start. */
async function playSolution() {
  const now = ++turn;
  miss();
  hintButton.hidden = true;
  solutionButton.hidden = true;
  retry.hidden = true;
  tell("", say("puzzle-thinking"));
  const { solution } = puzzle;
  const begun = line.every((move, index) => move === solution[index]) ? line.length : 0;
  try {
    for (let count = begun; count <= solution.length; count++) {
      const [shown] = await Promise.all([reach(solution.slice(0, count)), pause(count > begun ? tempo(/** @type {any} */ ({ clock: null })).breath : 0)]);
      if (now !== turn) return;
      const lasts = await board.show(shown, { animate: count > begun, closed: true });
      if (count > begun) {
        sound((count - 1) % 2 ? "other" : "own");
        tell("", shown.sentence ?? "");
      }
      await pause(lasts);
      if (now !== turn) return;
    }
    tell("", say("puzzle-shown"));
    goOn();
  } catch (error) {
    if (now !== turn) return;
    failed(error);
    solutionButton.hidden = false;
  }
}

/** The next puzzle of the game that was not solved here; the next one where all were. */
function following() {
  const at = puzzle.others.indexOf(puzzle.id);
  const rest = [...puzzle.others.slice(at + 1), ...puzzle.others.slice(0, at)];
  return rest.find((id) => !isSolved(`${puzzle.game}/${id}`)) ?? rest[0];
}

function showHintButton() {
  hintButton.hidden = false;
  hintButton.disabled = hints > 1;
  hintButton.textContent = say(hints === 1 ? "puzzle-second-hint" : "puzzle-hint");
}

/** The first hint is the theme with its rule, the second the move. */
async function hint() {
  const now = turn;
  const wanted = hints + 1;
  try {
    /** @type {PuzzleHint} */
    const { text, rule: cited, place, move } = await ask(`/api/games/${puzzle.game}/puzzles/${puzzle.id}/hint`, { body: { line, hint: wanted, lang } });
    if (now !== turn || !text) return;
    hints = wanted;
    if (hints > 1) miss();
    tell("", text, rule(cited));
    if (move) board.pointOut([move]);
    else if (place) board.pointOut([{ text: "", label: "", atoms: [place], ways: [] }]);
    showHintButton();
  } catch (error) {
    failed(error);
  }
}

hintButton.addEventListener("click", () => void hint());
solutionButton.addEventListener("click", () => void playSolution());
need("again").addEventListener("click", () => void begin());
retry.addEventListener("click", () => {
  tell("");
  open().then(() => need("board").focus(), failed);
});

wireSheet();
showRecord();
void begin();
