// What a browser remembers of puzzles, and how pages show it.
import * as memory from "./memory.js";
import { say } from "./words.js";

const ELO = Math.LN10 / 400; // the steepness of a logistic curve whose unit is the Elo
const LEAST_ERROR = 60; // a rating stays this uncertain, so that it follows what is learnt
const MOST_MISSED = 1000; // names of missed puzzles that are remembered
const DAY_MS = 86_400_000;

/** Whether a puzzle, such as `tortuga/01bbc6`, was solved here. @param {string} name */
export const isSolved = (name) => name in memory.puzzles().solved;

/**
 * The rating of a solver after a puzzle, by Glicko.
 * @param {[number, number]} own  a rating and its error
 * @param {[number, number]} puzzle
 * @param {boolean} won
 * @returns {[number, number]}
 */
export function rated([own, error], [puzzle, doubt], won) {
  const flat = 1 / Math.sqrt(1 + (3 * (ELO * doubt) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp(-ELO * flat * (own - puzzle)));
  const spread = 1 / (1 / error ** 2 + (ELO * flat) ** 2 * expected * (1 - expected));
  return [
    Math.round(own + ELO * spread * flat * (Number(won) - expected)),
    Math.round(Math.max(LEAST_ERROR, Math.sqrt(spread))),
  ];
}

/**
 * A puzzle is solved; without a mistake it makes the streak longer. Solved again it counts no more.
 * @param {string} name
 * @param {boolean} clean
 * @param {[number, number]} rating  of the puzzle
 * @param {string} day  the day of which it is the puzzle, such as `2026-11-19`, or nothing
 */
export function solve(name, clean, rating, day) {
  const kept = memory.puzzles();
  if (day && day !== kept.day.last) {
    const follows = Date.parse(day) - Date.parse(kept.day.last) === DAY_MS;
    kept.day = { last: day, run: follows ? kept.day.run + 1 : 1 };
  }
  if (!(name in kept.solved)) {
    if (clean && !kept.missed.includes(name)) kept.rating = rated(kept.rating, rating, true);
    kept.run = clean ? kept.run + 1 : kept.run;
    kept.best = Math.max(kept.best, kept.run);
    kept.solved = { ...kept.solved, [name]: Date.now() };
  }
  memory.keepPuzzles(kept);
}

/**
 * A mistake in a puzzle that was not solved yet ends the streak; the first one counts for the rating.
 * @param {string} name
 * @param {[number, number]} rating  of the puzzle
 */
export function fail(name, rating) {
  const kept = memory.puzzles();
  if (name in kept.solved) return;
  kept.run = 0;
  if (!kept.missed.includes(name)) {
    kept.rating = rated(kept.rating, rating, false);
    kept.missed = [...kept.missed, name].slice(-MOST_MISSED);
  }
  memory.keepPuzzles(kept);
}

/** Say how things stand, where the page has a place for it. */
export function showRecord() {
  const { run, best, solved, missed, rating: [rating, error], day } = memory.puzzles();
  const count = Object.keys(solved).length;
  for (const place of document.querySelectorAll("[data-puzzle-run]")) {
    place.textContent = count || missed.length
      ? `${say("puzzle-run", { run, best, solved: count })} ${say("puzzle-rating", { rating, error })}` : "";
  }
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-day]"))) {
    const since = Date.parse(place.dataset.day ?? "") - Date.parse(day.last);
    place.hidden = !(since === 0 || since === DAY_MS);
    place.textContent = place.hidden ? "" : say("day-streak", { run: day.run });
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
