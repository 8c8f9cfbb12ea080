// When a game is over: who has won, the way to another game, and the check of the shuffle.
import { h, need } from "./dom.js";
import * as memory from "./memory.js";
import { kept } from "./shuffle.js";
import { called } from "./voice.js";
import { address, ruleAddress, say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {{rematch: () => void, replay: () => void}} Handlers */

/** How it ended, for the reader. @param {State} state */
export function verdict({ outcome, seats, you }) {
  const winners = outcome?.winners ?? [];
  if (!winners.length) return say("end-draw");
  if (you.seats.length === 1) return say(winners.includes(you.seats[0]) ? "end-won" : "end-lost");
  return say("end-winner", { name: winners.map((seat) => called(seats[seat])).join(", ") });
}

/**
 * Draw what follows the end, if it has come. Who wants to play again goes to the next table as soon as
 * there is one.
 * @param {State} state
 * @param {string | null} token
 * @param {boolean} again
 * @param {Handlers} handlers
 */
export function drawEnd(state, token, again, handlers) {
  const end = need("end");
  const { outcome, game } = state;
  end.hidden = !outcome;
  if (!outcome) return;
  /** @type {import("./dom.js").Child[]} */
  const parts = [
    h("p", {}, outcome.text, " ", outcome.rule && h("a", { href: ruleAddress(outcome.rule), target: "_blank" }, say("read-rule"))),
    outcome.where && h("p", { class: "where" }, outcome.where),
  ];
  const row = h("p", { class: "row" });
  if (state.next) {
    row.append(h("a", { class: "button main", href: address(`/t/${state.next}`) }, say("rematch-go")));
    if (token) memory.keepSeat(state.next, { token, seats: state.you.seats, game, at: Date.now() });
    if (again) location.assign(address(`/t/${state.next}`));
  } else if (state.you.seats.length && !state.offer) {
    row.append(h("button", { type: "button", class: "main", onclick: handlers.rematch }, say(state.seats.length === 2 ? "rematch" : "rematch-further")));
  }
  row.append(h("button", { type: "button", onclick: handlers.replay }, say("replay-all")));
  row.append(h("a", { class: "button", href: address(`/t/${state.table}/review`) }, say("review")));
  row.append(h("a", { class: "button", href: address(`/t/${state.table}/score`) }, say("score")));
  row.append(h("a", { class: "button", href: address(`/g/${game}`) }, say("to-box")));
  parts.push(row);
  if (state.secret && state.commitment) parts.push(proof(state.secret, state.commitment));
  end.replaceChildren(...parts.filter((part) => part instanceof Node));
}

/**
 * The check of the shuffle.
 * @param {string} secret
 * @param {string} commitment
 */
function proof(secret, commitment) {
  const verdict = h("p", { class: "verdict" }, say("checking"));
  kept(secret, commitment).then((good) => {
    verdict.textContent = say(good === null ? "check-impossible" : good ? "check-good" : "check-bad");
    verdict.className = `verdict ${good === null ? "" : good ? "good" : "bad"}`;
  });
  return h("details", { class: "proof" }, h("summary", {}, say("check")),
    verdict,
    h("dl", {}, h("dt", {}, say("promised")), h("dd", {}, h("code", {}, commitment)), h("dt", {}, say("revealed")), h("dd", {}, h("code", {}, secret))),
    h("p", { class: "soft" }, say("check-hint")));
}
