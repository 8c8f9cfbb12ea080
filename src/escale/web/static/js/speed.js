// The times for showing events: the reader's speed, and shorter ones if a clock runs.
import { STEP } from "./animate.js";
import * as memory from "./memory.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {"calm" | "normal" | "instant"} Speed */
/**
 * The times that belong to what is shown, in milliseconds: a `step` from one place to the next, the
 * `breath` before another player's move, a `look` at something that is about to go. If `open`,
 * moves can be chosen while things are still on their way.
 * @typedef {{step: number, breath: number, look: number, open: boolean}} Tempo
 */

/** @type {Record<Speed, number>} */
const FACTORS = { calm: 1.75, normal: 1, instant: 0 };
export const SPEEDS = /** @type {Speed[]} */ (Object.keys(FACTORS));

const BREATH_MS = 600;
const LOOK_MS = 1500;
const LOOK_TIMED = 600; // where one's own time may run meanwhile
const STEP_BREATH_MS = 50; // what each further step of a move adds to the breath before it …
const LONGEST_BREATH_MS = 800; // … up to this
const SHORTEST_BREATH_MS = 150; // between moves of several who follow each other
const MOST_FULL_STEPS = 8; // a move of more steps than this takes no longer, but each of them is quicker

/** The speed that the reader has chosen. @returns {Speed} */
export function speed() {
  const kept = /** @type {Speed} */ (memory.speed());
  return SPEEDS.includes(kept) ? kept : "normal";
}

/**
 * The times for what happens at a table. If a clock of minutes runs, they are short: time for
 * showing would be lost time.
 * @param {State} state
 * @returns {Tempo}
 */
export function tempo({ clock }) {
  const factor = FACTORS[speed()];
  const timed = clock?.kind === "live";
  return {
    step: STEP * factor * (timed ? 0.5 : 1),
    breath: timed ? 0 : BREATH_MS * factor,
    look: (timed ? LOOK_TIMED : LOOK_MS) * factor,
    open: timed || factor === 0,
  };
}

/**
 * The breath before a move: longer before a long one, and shorter where several follow each other,
 * so that five computers together take little more time than two.
 * @param {Tempo} tempo
 * @param {number} steps  of the move
 * @param {number} before  how many others' moves have been shown since one's own
 */
export function breathBefore({ breath }, steps, before) {
  const whole = Math.min(LONGEST_BREATH_MS, BREATH_MS + STEP_BREATH_MS * (steps - 1)) / (before + 1);
  return (breath / BREATH_MS) * Math.max(SHORTEST_BREATH_MS, whole);
}

/**
 * The time for each step of a move.
 * @param {Tempo} tempo
 * @param {number} steps  of the move
 */
export function stepOf({ step }, steps) {
  return step * Math.min(1, MOST_FULL_STEPS / steps);
}
