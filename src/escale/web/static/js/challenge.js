// A bot that has been challenged: it accepts, declines, or does not answer.
import { botMark } from "./called.js";
import { h } from "./dom.js";
import { address, say } from "./words.js";

/** @typedef {import("./live.js").State} State */
/** @typedef {import("./types.js").SeatState} Seat */

/** Milliseconds after which a bot that listens is said not to answer … */
const SILENT = 20_000;
/** … and one that does not listen is said to have gone: a stream may be opened again at once. */
const GONE = 3_000;

/** The seats on which bots are awaited. @param {State} state */
export const challenged = ({ seats }) => seats.filter((seat) => seat.bot && seat.awaited);

/**
 * What is to be said of a bot that has not answered yet.
 * @param {Seat} seat
 * @param {number} since  for how long it has been awaited, in milliseconds
 * @param {number} gone  for how long it has not been there
 * @returns {"sent" | "silent" | "gone"}
 */
export function standing(seat, since, gone) {
  if (!seat.present && gone >= GONE) return "gone";
  return since >= SILENT ? "silent" : "sent";
}

/**
 * Who waits for an answer is told how that stands, and may wait no longer.
 * @param {Seat} seat
 * @param {ReturnType<typeof standing>} stands
 * @param {(() => void) | null} withdraw  null for those who only watch
 */
export function drawChallenge(seat, stands, withdraw) {
  const { name } = seat;
  const overdue = stands !== "sent";
  return [
    h("h2", {}, say("challenged"), " ", botMark(seat), " ", name),
    h("p", { class: "challenge", role: overdue && "alert" }, say(`challenge-${stands}`, { name })),
    withdraw && h("p", {}, h("button", { type: "button", class: overdue ? "withdraw main" : "withdraw", onclick: withdraw }, say("withdraw"))),
  ];
}

/**
 * Why a bot has declined to sit on a seat that is open now, and the way to the others; null where none has.
 * @param {State} state
 * @param {Seat} seat
 */
export function drawRefusal({ log }, seat) {
  const refusal = log.findLast((item) => item.do === "decline" && item.seat === seat.seat);
  return refusal ? h("p", { class: "notice declined" }, refusal.told, " ", h("a", { href: address("/bots") }, say("other-bots"))) : null;
}
