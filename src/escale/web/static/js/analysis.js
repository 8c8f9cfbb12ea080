// The analysis board: any position, both sides, variations, and the house's analysis of them.
// Everything that was tried is in the address, so that nothing is lost and a link shows the same.
import { ask } from "./ask.js";
import { h, need, showIf } from "./dom.js";
import { Editor } from "./editor.js";
import { wireTableForm } from "./from_here.js";
import { bestLine, drawLines, effort } from "./lines_pane.js";
import { looks } from "./looks.js";
import { seats as heldSeats } from "./memory.js";
import { drawMoves } from "./moves_pane.js";
import { closeSheet, wireSheet } from "./sheet.js";
import { StudyBoard, study } from "./study_board.js";
import { Variations, WALKS } from "./variations.js";
import { block, ruleAddress, say } from "./words.js";

/** @typedef {import("./editor.js").Facts} Facts */
/** @typedef {import("./types.js").StudyPosition} StudyPosition */
/** @typedef {import("./types.js").Refusal} Refusal */

/** @type {Facts} */
const facts = block("analysis");
const { slug } = facts;
/** Milliseconds before a position is analysed, so that positions passed quickly cost nothing. */
const STAY_MS = 250;

/** The position where the line begins. */
let start = "";
let tree = new Variations();
/** What is shown; null before the first. @type {StudyPosition | null} */
let shown = null;
let asked = new AbortController();
let thought = new AbortController();
let thinks = true;

const openCards = /** @type {HTMLInputElement} */ (need("open-cards"));
const field = /** @type {HTMLInputElement} */ (need("position"));
const note = need("note");
const board = new StudyBoard(need("board"), slug, need("buttons"), {
  play: (move) => {
    tree.play(move);
    void go();
  },
  asked: (words) => {
    need("asked").textContent = status(words);
  },
  refused: (why) => {
    need("answer").hidden = !why;
    need("answer").replaceChildren(why?.text ?? "");
    if (why?.rule) need("answer").append(" ", h("a", { href: ruleAddress(why.rule), target: "_blank" }, say("read-rule")));
  },
  at: (words) => {
    need("pointed").textContent = words;
  },
});
const editor = new Editor(board, facts, (position) => {
  endEditing();
  if (position) begin(position.position);
  else if (shown) void board.show(shown);
});

/** Show whose turn it is and the prompt, or how the game ended. @param {string} words */
function status(words) {
  if (!shown || editor.open) return "";
  if (shown.outcome) return shown.outcome.text;
  if (shown.turn === "chance") return say("an-chance");
  return say("an-turn", { name: facts.seats[Number(shown.turn)], prompt: words });
}

// ---- the place in the tree ----

/** Show the current place of the tree. @param {{animate?: boolean, draw?: boolean}} [how] */
async function go({ animate = true, draw = false } = {}) {
  asked.abort();
  const { signal } = (asked = new AbortController());
  stopThinking();
  const line = tree.line();
  try {
    const found = await study(slug, { position: start, line, draw, open: openCards.checked }, signal);
    if (signal.aborted) return;
    for (const [number, move] of found.line.slice(line.length).entries()) tree.play(move, found.spelled[line.length + number]);
    await arrive(found, animate);
  } catch (refusal) {
    if (signal.aborted) return;
    tell(refusal);
    const known = shown?.line ?? [];
    if (tree.line().join() !== known.join()) { // what was tried here is no move
      if (!tree.here.children.length) tree.remove();
      tree.here = tree.root;
      for (const move of known) tree.play(move);
    }
    if (shown) await board.show(shown);
  }
}

/** @param {StudyPosition} found @param {boolean} animate */
async function arrive(found, animate) {
  const follows = shown !== null && found.line.length === shown.line.length + 1;
  shown = found;
  start = found.start;
  tree.way().forEach((node, number) => { node.label = found.spelled[number]; });
  note.hidden = true;
  field.value = found.position;
  await board.show(found, { animate: animate && follows });
  need("announcements").replaceChildren(h("p", {}, found.sentence), h("p", {}, need("asked").textContent ?? ""));
  drawTree();
  for (const [seat, option] of [...need("table-seat").children].entries()) option.toggleAttribute("disabled", seat >= found.badges.length);
  remember();
  think();
}

function drawTree() {
  drawMoves(need("moves"), tree, (node) => {
    tree.here = node;
    void go();
  });
  /** @type {HTMLButtonElement} */ (need("promote")).disabled = tree.branching() === null;
  /** @type {HTMLButtonElement} */ (need("remove")).disabled = tree.here === tree.root;
  showIf("draw", shown?.turn === "chance");
}

/** Begin again from a position. @param {string} position @param {string[]} [line] @param {number} [at] */
function begin(position, line = [], at = line.length) {
  start = position;
  tree = new Variations();
  for (const move of line) tree.play(move);
  tree.here = tree.way()[at - 1] ?? tree.root;
  shown = null;
  void go({ animate: false }).then(nameAll);
}

/** Moves of other variations are called as people call them, too. */
async function nameAll() {
  const here = tree;
  for (const leaf of tree.leaves().filter((one) => one.label === one.move && one.parent)) {
    const found = await study(slug, { position: start, line: tree.line(leaf) }).catch(() => null);
    if (here !== tree) return;
    if (found) tree.way(leaf).forEach((node, number) => { node.label = found.spelled[number]; });
  }
  drawTree();
}

/** Keep everything in the address. */
function remember() {
  const words = new URLSearchParams({ p: start });
  const moves = tree.write();
  const hash = `#${words}${moves && `&t=${moves}&at=${tree.place()}`}${openCards.checked || !facts.hides ? "" : "&own=1"}`;
  history.replaceState(null, "", location.pathname + hash);
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a.tongue"))) link.hash = hash;
}

/** What the address says: a place in a tree, a match, or nothing. */
async function arriveFirst() {
  const words = new URLSearchParams(location.hash.slice(1));
  const query = new URLSearchParams(location.search);
  openCards.checked = !words.has("own");
  const position = words.get("p");
  const table = query.get("table");
  if (position) {
    start = position;
    const moves = location.hash.match(/&t=([^&]*)/)?.[1] ?? "";
    tree = Variations.read(moves, words.get("at") ?? "");
    await go({ animate: false });
    return nameAll();
  }
  if (table) {
    try {
      const match = await ask(`/api/tables/${encodeURIComponent(table)}/study`, { token: heldSeats()[table]?.token });
      return begin(match.start, match.line, Number(query.get("ply") ?? match.line.length));
    } catch (refusal) {
      await fromStart();
      return tell(refusal);
    }
  }
  await fromStart();
}

/** The beginning of a game, with the options of the form. */
async function fromStart() {
  const options = Object.fromEntries(facts.options.map((name) => [name, /** @type {HTMLSelectElement} */ (need(`option-${name}`)).value]));
  const seats = Number(/** @type {HTMLSelectElement | null} */ (document.getElementById("start-seats"))?.value ?? facts.fewest);
  await place({ options, seats });
}

/** Begin from something that may not be a position. @param {import("./study_board.js").StudyQuestion} where */
async function place(where) {
  asked.abort();
  const { signal } = (asked = new AbortController());
  try {
    const found = await study(slug, { ...where, open: openCards.checked }, signal);
    if (signal.aborted) return;
    tree = new Variations();
    shown = null;
    stopThinking();
    await arrive(found, false);
  } catch (refusal) {
    if (!signal.aborted) tell(refusal);
  }
}

/** Say why not. @param {any} refusal */
function tell(refusal) {
  const { message, detail, code } = /** @type {Partial<Refusal>} */ (refusal ?? {});
  note.hidden = false;
  note.textContent = [message ?? say("failed"), code === "bad-position" ? detail : ""].filter(Boolean).join(" ");
}

// ---- the house's analysis ----

function stopThinking() {
  thought.abort();
  need("lines").replaceChildren();
  need("effort").textContent = need("best").textContent = "";
}

async function think() {
  thought.abort();
  const { signal } = (thought = new AbortController());
  const here = shown;
  need("assumed").textContent = "";
  if (!thinks || !here || here.turn === null || here.turn === "chance" || document.hidden || editor.open) return;
  need("effort").textContent = say("an-thinking");
  try {
    await new Promise((resolve) => { setTimeout(resolve, STAY_MS); });
    if (signal.aborted) return;
    const where = { position: here.start, line: here.line, open: openCards.checked };
    for await (const look of looks(slug, where, signal)) {
      if (signal.aborted) return;
      const [best] = look.lines;
      need("best").replaceChildren(...(best ? bestLine(best, facts.seats) : []));
      drawLines(need("lines"), look, facts.seats, (moves) => {
        for (const move of moves) tree.play(move.text, move.label);
        void go();
      });
      board.pointOut(look.lines.map((line) => line.moves[0]));
      need("assumed").textContent = look.assumed;
      need("effort").textContent = effort(look);
    }
  } catch (refusal) {
    if (!signal.aborted) need("effort").textContent = /** @type {Partial<Refusal>} */ (refusal)?.message ?? say("failed");
  }
}

// ---- setting a position up ----

function endEditing() {
  editor.end();
  document.body.classList.remove("editing");
  showIf("editor", false);
}

function edit() {
  if (!shown) return;
  stopThinking();
  document.body.classList.add("editing");
  showIf("editor", true);
  editor.begin(shown);
  need("asked").textContent = say("an-editing");
  need("editor").querySelector("input")?.focus({ preventScroll: true });
}

// ---- buttons and keys ----

/** @param {string} text @param {string} said */
async function copy(text, said) {
  note.hidden = false;
  try {
    await navigator.clipboard.writeText(text);
    note.textContent = said;
  } catch {
    note.textContent = text;
  }
}

/** @param {string} key */
function walk(key) {
  const before = tree.here;
  WALKS[key](tree);
  if (tree.here !== before) void go();
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!(event.key in WALKS) || event.altKey || event.ctrlKey || event.metaKey || editor.open) return;
  if (target.closest("input, select, textarea")) return;
  // On the board, arrows go from cell to cell.
  if (target.closest("#board") && event.key.startsWith("Arrow")) return;
  event.preventDefault();
  walk(event.key);
});
for (const [id, key] of Object.entries({ "walk-first": "Home", "walk-back": "ArrowLeft", "walk-forward": "ArrowRight", "walk-last": "End" })) {
  need(id).addEventListener("click", () => walk(key));
}
need("promote").addEventListener("click", () => { tree.promote(); drawTree(); remember(); });
need("remove").addEventListener("click", () => { tree.remove(); void go({ animate: false }); });
need("draw").addEventListener("click", () => void go({ draw: true }));
need("flip").addEventListener("click", () => board.board.turn());
need("edit").addEventListener("click", edit);
need("copy-position").addEventListener("click", () => copy(shown?.position ?? "", say("an-position-copied")));
need("copy-link").addEventListener("click", () => copy(location.href, say("copied")));
need("position-form").addEventListener("submit", (event) => { event.preventDefault(); void place({ position: field.value.trim() }).then(closeSheet); });
need("start-form").addEventListener("submit", (event) => { event.preventDefault(); void fromStart().then(closeSheet); });
wireTableForm(/** @type {HTMLFormElement} */ (need("table-form")), slug, facts.seats, () => shown, tell);
openCards.addEventListener("change", () => void go({ animate: false }));
need("thinks").addEventListener("click", () => {
  thinks = !thinks;
  need("thinks").setAttribute("aria-pressed", String(thinks));
  stopThinking();
  board.pointOut([]);
  if (thinks) think();
});
wireSheet();
document.addEventListener("visibilitychange", () => (document.hidden ? thought.abort() : think()));
// Another place was pasted into the address; links within the page lead nowhere else.
addEventListener("hashchange", () => (location.hash.startsWith("#p=") ? void arriveFirst().then(closeSheet) : remember()));
void arriveFirst();
