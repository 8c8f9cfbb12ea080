// The notebook of this person, which the house keeps: the browser identifies it by a cookie that
// scripts cannot read. The browser's memory of seats, puzzles and lessons is copied to it.
import { alone, ask, embedded } from "./ask.js";
import * as memory from "./memory.js";
import { isHere, lang } from "./words.js";

const DELAY = 800; // milliseconds after a change, so that one message carries several changes

/**
 * Let the notebook hold a seat, and forget its token: the cookie is enough from then on.
 * If that fails, the token stays, and the next page tries again.
 * @param {string} table
 * @param {string} token
 * @returns {Promise<boolean>}
 */
export async function keepInNotebook(table, token) {
  if (isHere(table)) return false; // the house does not know it
  try {
    await ask("/api/notebook/seats", { body: { table, token } });
  } catch (refusal) {
    const code = /** @type {{code?: string}} */ (refusal).code;
    if (code === "unknown-table" || code === "no-seat") memory.forgetSeat(table);
    return false;
  }
  const held = memory.seats()[table];
  if (held?.token === token) memory.forgetSeat(table);
  return true;
}

/** Let the notebook hold all seats that only this browser knows; true if there were any. */
export async function keepAll() {
  const held = Object.entries(memory.seats()).filter(([, one]) => one.token);
  const kept = await Promise.all(held.map(([table, one]) => keepInNotebook(table, one.token)));
  return kept.some(Boolean);
}

/** @typedef {{name: string, lang: string, progress: {puzzles: import("./memory.js").Solved, lessons: Record<string, import("./memory.js").Progress>}}} Facts */

/** Copy the notebook's facts to the memory of this browser. @param {Facts} facts */
function learn({ name, progress }) {
  memory.silently(() => {
    if (name) memory.keepName(name);
    const here = memory.puzzles();
    const { solved, run, best } = progress.puzzles;
    if (Object.keys(solved).length) memory.keepPuzzles({ ...here, solved: { ...here.solved, ...solved }, run, best });
    for (const [game, lesson] of Object.entries(progress.lessons)) memory.keepLesson(game, lesson);
  });
}

/** The facts that this browser knows. */
function known() {
  const { solved, run, best } = memory.puzzles();
  return { name: memory.name() || null, lang, puzzles: { solved, run, best }, lessons: memory.lessons() };
}

/** Learn the progress of other devices, if this browser has a notebook. */
export const catchUp = () => ask("/api/notebook").then(learn, () => undefined); // the next page tries again

/** The timer until the notebook gets the changes; 0 if it has them. */
let timer = 0;
memory.onChange(() => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = 0;
    ask("/api/notebook", { body: known() }).then(learn, () => undefined); // the next change sends all of it again
  }, DELAY);
});
addEventListener("pagehide", () => {
  if (timer && !alone && !embedded) navigator.sendBeacon("/api/notebook", new Blob([JSON.stringify(known())], { type: "application/json" }));
});
