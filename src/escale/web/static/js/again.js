// Shows the latest events again: all moves of others since the reader's own last move, and the last
// pause, such as a complete trick.
import { STEP } from "./animate.js";
import { h, need } from "./dom.js";
import { drawStatus } from "./status.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./pace.js").Beat} Beat */
/** @typedef {import("./table.js").Table} Table */
/**
 * A scene that was shown, the changes that led to it, the time from place to place, whether it was one
 * to look at, and its sentence.
 * @typedef {{scene: Scene, changes: Change[], step: number, look: boolean, sentence: string}} Frame
 */

const KEPT_FRAMES = 24; // frames; what is older is forgotten
const BEFORE_MS = 500; // milliseconds for the table as it was
const FRAME_MS = 350; // after each frame …
const PAUSE_MS = 1500; // … and after one to look at
const FETCHED_MOVES = 12; // moves that are asked for where a page was just opened

export class Recent {
  constructor() {
    /** The table before the first frame. @type {Scene | null} */
    this.start = null;
    /** @type {Frame[]} */
    this.frames = [];
    /** How many moves of others have begun since the reader's own. */
    this.moves = 0;
    /** The last frame to look at. @type {Frame | null} */
    this.look = null;
  }

  /** Forget everything: the table is now shown for another seat, which may know other things. */
  forget() {
    this.start = this.look = null;
    this.frames = [];
    this.moves = 0;
  }

  /** The reader's own move has been made: later events are news. @param {Scene} scene */
  begin(scene) {
    this.start = scene;
    this.frames = [];
    this.moves = 0;
  }

  /**
   * Something was shown.
   * @param {Scene | null} before
   * @param {Frame} frame
   */
  add(before, frame) {
    this.start ??= before;
    this.frames.push(frame);
    if (frame.look) this.look = frame;
    if (this.frames.length > KEPT_FRAMES) this.start = this.frames.shift()?.scene ?? null;
  }
}

/** Show again the events since the reader's own last move. @param {Table} table */
export async function showAgain(table) {
  const { recent } = table;
  if (table.page || !table.state) return;
  table.pace.skip();
  if (recent.start && recent.frames.length) return run(table, recent.start, recent.frames);
  const pages = await recentPages(table);
  if (pages.length < 2) return;
  const frames = pages.map(({ scene, sentence }) => ({ scene, sentence, changes: [], step: STEP, look: false }));
  run(table, pages[0].scene, frames.slice(1));
}

/** Show the last pause again. @param {Table} table */
export async function lookAgain(table) {
  const { recent } = table;
  if (table.page || !table.state) return;
  table.pace.skip();
  recent.look ??= await lastLook(table);
  if (recent.look) run(table, recent.look.scene, [recent.look]);
}

/**
 * Show frames one after another, then the table as it is. A half-made move waits meanwhile.
 * @param {Table} table
 * @param {Scene} start
 * @param {Frame[]} frames
 */
function run(table, start, frames) {
  const { board, input, main, pace } = table;
  const sentences = [...new Set(frames.map((frame) => frame.sentence))];
  /** @type {Beat[]} */
  const beats = frames.map((frame) => (hurried) => {
    if (hurried) return 0;
    const { scene, changes, look } = frame;
    const step = frame.step || STEP; // a reader who asks for it wants to see it
    const lasts = board.draw(scene, { changes, step });
    board.showMost(Object.keys(scene.highlights));
    need("status").textContent = frame.sentence || say("again");
    return Math.max(lasts, step) + (look ? PAUSE_MS : FRAME_MS);
  });
  pace.add([
    (hurried) => {
      if (hurried) return 0;
      main.classList.add("again");
      board.light({});
      board.draw(start, { still: true });
      need("status").textContent = say("again");
      need("announcements").append(...sentences.filter(Boolean).map((words) => h("p", {}, words)));
      return frames[0].scene === start ? 0 : BEFORE_MS;
    },
    ...beats,
    () => {
      main.classList.remove("again");
      if (table.page || !table.state) return 0;
      board.draw(table.state.scene, { still: true });
      input.light();
      drawStatus(table);
      return 0;
    },
  ]);
}

/** The table after each move since the reader's own, as the house remembers it. @param {Table}
 * table
 */
async function recentPages({ state, story }) {
  const { log, ply, you } = /** @type {import("./table_state.js").State} */ (state);
  const played = log.filter((item) => item.do === "play" && item.ply <= ply && !story.undone.has(item.n));
  const own = played.findLastIndex((item) => you.seats.includes(item.seat ?? -1));
  const plies = played.slice(Math.max(own, played.length - FETCHED_MOVES, 0)).map((item) => item.ply);
  if (own < 0 && plies.length) plies.unshift(plies[0] - 1);
  return Promise.all(plies.map((number) => story.page(number))).catch(() => []);
}

/** The last pause, as the house remembers it. @param {Table} table @returns {Promise<Frame | null>} */
async function lastLook({ state, story }) {
  const { ply } = /** @type {import("./table_state.js").State} */ (state);
  for (let number = ply; number > Math.max(0, ply - 2 * FETCHED_MOVES); number -= 1) {
    const page = await story.page(number).catch(() => null);
    const scene = page?.pauses.at(-1);
    if (page && scene) return { scene, sentence: page.sentence, changes: [], step: STEP, look: true };
  }
  return null;
}
