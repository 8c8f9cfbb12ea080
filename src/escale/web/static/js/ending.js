// The end of a game: the winner, the way to another game, and the check of the shuffle.
import { h, need } from "./dom.js";
import * as memory from "./memory.js";
import { called } from "./voice.js";
import { address, isHere, ruleAddress, say, tableAddress } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** A story of the end longer than this, in letters, does not fit into the bar of a phone. */
const LONGEST_STORY = 105;
/** @typedef {{rematch: () => void, replay: () => void, share: () => void}} Handlers */

/**
 * How it ended, in the words of the bar: for the reader and between two after how many moves and what,
 * as far as there is room for it; then how the game says it.
 * @param {Pick<State, "outcome" | "seats" | "you" | "moves">} state
 */
export function story(state) {
  const text = state.outcome?.text ?? "";
  const whole = `${verdict(state, state.outcome?.after ?? "")} ${text}`.trim();
  return whole.length <= LONGEST_STORY ? whole : `${verdict(state, "")} ${text}`.trim();
}

/** @param {Pick<State, "outcome" | "seats" | "you" | "moves">} state @param {string} last  the last capture or jump */
function verdict({ outcome, seats, you, moves }, last) {
  const winners = outcome?.winners ?? [];
  const long = seats.length === 2 && moves > 1;
  if (!winners.length) return say(long ? "end-draw-in" : "end-draw", { count: moves });
  const after = last && `, ${last}`;
  const name = winners.map((seat) => called(seats[seat])).join(", ");
  // The sentence of the ending may have named the winner.
  if (you.seats.length !== 1 && outcome?.text.includes(name)) return long ? say("end-after", { count: moves, after }) : "";
  if (you.seats.length !== 1) return say(long ? "end-winner-in" : "end-winner", { name, count: moves, after });
  if (winners.includes(you.seats[0])) return say(long ? "end-won-in" : "end-won", { count: moves, after });
  return say(long ? "end-lost-in" : "end-lost", { count: moves, after });
}

/**
 * Draw what follows the end, if it has come: in the bar another game and ways to look at this one, in the
 * sheet the rest. Players who want to play again go to the next table as soon as there is one.
 * @param {State} state
 * @param {string | null} token
 * @param {boolean} again
 * @param {Handlers} handlers
 */
export function drawEnd(state, token, again, handlers) {
  const { outcome, game } = state;
  const [row, more] = [need("end"), need("end-more")];
  row.hidden = more.hidden = !outcome;
  if (!outcome) return;
  row.replaceChildren();
  const { evening } = need("table").dataset;
  if (evening) row.append(h("a", { class: "button main", href: address(`/evening/${evening}`) }, say("back-to-evening")));
  else if (state.next) {
    row.append(h("a", { class: "button main", href: tableAddress(state.next, game) }, say("rematch-go")));
    if (token) memory.keepSeat(state.next, { token, seats: state.you.seats, game, at: Date.now() });
    if (again) location.assign(tableAddress(state.next, game));
  } else if (state.you.seats.length && !state.offer) {
    row.append(h("button", { type: "button", class: "main", onclick: handlers.rematch }, say(state.seats.length === 2 ? "rematch" : "rematch-further")));
  }
  row.append(
    h("button", { type: "button", onclick: handlers.replay }, say("replay-all")),
    h("a", { class: "button", href: isHere(state.table) ? address(`/g/${game}/review?id=${state.table}`) : address(`/t/${state.table}/review`) }, say("review")));
  if (!isHere(state.table)) row.append(h("button", { type: "button", onclick: handlers.share }, say("share")));
  /** @type {import("./dom.js").Child[]} */
  const parts = [
    outcome.rule && h("p", {}, outcome.text, " ", h("a", { href: ruleAddress(outcome.rule), target: "_blank" }, say("read-rule"))),
    outcome.where && h("p", { class: "where" }, outcome.where),
    h("a", { class: "button", href: address(`/g/${game}`) }, say("to-box")),
    state.secret && state.commitment && proof(state.secret, state.commitment),
  ];
  more.replaceChildren(...parts.filter((part) => part instanceof Node));
}

/**
 * The check of the shuffle.
 * @param {string} secret
 * @param {string} commitment
 */
function proof(secret, commitment) {
  const verdict = h("p", { class: "verdict" }, say("checking"));
  import("./shuffle.js").then(({ kept }) => kept(secret, commitment)).catch(() => null).then((good) => {
    verdict.textContent = say(good === null ? "check-impossible" : good ? "check-good" : "check-bad");
    verdict.className = `verdict ${good === null ? "" : good ? "good" : "bad"}`;
  });
  return h("details", { class: "proof" }, h("summary", {}, say("check")),
    verdict,
    h("dl", {}, h("dt", {}, say("promised")), h("dd", {}, h("code", {}, commitment)), h("dt", {}, say("revealed")), h("dd", {}, h("code", {}, secret))),
    h("p", { class: "soft" }, say("check-hint")));
}
