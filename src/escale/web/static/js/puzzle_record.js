// What a browser remembers of puzzles, and how pages show it.
import * as memory from "./memory.js";
import { say } from "./words.js";

/** Whether a puzzle, such as `tortuga/01bbc6`, was solved here. @param {string} name */
export const isSolved = (name) => name in memory.puzzles().solved;

/**
 * A puzzle is solved; without a mistake it makes the streak longer. Solved again it counts no more.
 * @param {string} name
 * @param {boolean} clean
 */
export function solve(name, clean) {
  const kept = memory.puzzles();
  if (name in kept.solved) return;
  const run = clean ? kept.run + 1 : kept.run;
  const solved = { ...kept.solved, [name]: Date.now() };
  memory.keepPuzzles({ solved, run, best: Math.max(kept.best, run) });
}

/** A mistake in a puzzle that was not solved yet ends the streak. @param {string} name */
export function fail(name) {
  const kept = memory.puzzles();
  if (!(name in kept.solved)) memory.keepPuzzles({ ...kept, run: 0 });
}

/** Say how things stand, where the page has a place for it. */
export function showRecord() {
  const { run, best, solved } = memory.puzzles();
  const count = Object.keys(solved).length;
  for (const place of document.querySelectorAll("[data-puzzle-run]")) {
    place.textContent = count || best ? say("puzzle-run", { run, best, solved: count }) : "";
  }
}

/** Mark what was solved among the puzzles that a page lists. */
export function markSolved() {
  for (const place of document.querySelectorAll("[data-puzzle]")) {
    if (!isSolved(/** @type {HTMLElement} */ (place).dataset.puzzle ?? "")) continue;
    place.classList.add("solved", "done");
    const mark = /** @type {HTMLElement | null} */ (place.querySelector(".puzzle-done"));
    if (mark) mark.hidden = false;
  }
}
