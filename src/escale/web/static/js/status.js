// The status line: the seat to move, offers, the reader's possible actions, the connection.
import { random } from "./ask.js";
import { decoration } from "./badge.js";
import { h, need, showIf } from "./dom.js";
import { story } from "./ending.js";
import { drawHelp } from "./help.js";
import * as memory from "./memory.js";
import { ask, listen } from "./prompt.js";
import { alone, drawUndo } from "./undo.js";
import { called } from "./voice.js";
import { formsOf, lang, say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function drawStatus(table) {
  const { main, newest, page, sent, state } = table;
  if (!state) return;
  const status = need("status");
  const words = watching(table, state) + sentence(table, state);
  if (status.textContent !== words) status.textContent = words;
  listen(table, words);
  const mine = newest && state.choices !== null && !sent;
  main.classList.toggle("mine", mine);
  main.classList.toggle("shared", state.you.seats.length > 1); // it is said to whom one speaks
  ring(main, mine);
  document.title = (mine ? "● " : "") + (main.dataset.title ?? "");
  showIf("now", page !== null);
}

/**
 * Those who look elsewhere feel that it is their turn, and see it on the icon of an installed page.
 * @param {HTMLElement} main
 * @param {boolean} mine
 */
function ring({ dataset }, mine) {
  if (mine === (dataset.rung === "yes")) return;
  dataset.rung = mine ? "yes" : "no";
  if (mine && document.hidden && memory.setting("sound")) navigator.vibrate?.([80, 60, 80]);
  if ("setAppBadge" in navigator) (mine ? navigator.setAppBadge(1) : navigator.clearAppBadge()).catch(() => undefined);
}

/**
 * Show readers without a seat that they watch, and from which side.
 * @param {Table} table
 * @param {State} state
 */
function watching({ board, page }, { begun, near, outcome, scene, seats, you }) {
  if (you.seats.length || page || outcome || !begun) return "";
  const opposite = seats.length === 2 && !scene.panels.length;
  return `${opposite ? say("you-watch-from", { name: called(seats[board.flipped ? 1 - near : near]) }) : say("you-watch")} `;
}

/**
 * @param {Table} table
 * @param {State} state
 */
function sentence(table, state) {
  const { input, page, sent, online } = table;
  const { choosing, seats, you } = state;
  const asked = choosing.includes(you.as ?? -1) ? you.as : choosing.find((seat) => you.seats.includes(seat));
  const mine = typeof asked === "number" && seats[asked].status === "person"; // else the computer plays for me
  const names = (mine ? [asked] : choosing).map((seat) => called(seats[seat]));
  const name = new Intl.ListFormat(lang).format(names);
  if (page) return page.sentence || say("start");
  if (state.outcome) return story(state);
  if (state.closed) return say("closed");
  if (!state.begun) return say("not-begun");
  if (sent) return say(online ? "sending" : "kept");
  if (state.turn === "chance") return say("drawing");
  if (!mine && names.length > 1) return say("waits-for", { names: name });
  if (!mine && state.thinking) return say("thinking", { name });
  const alone = mine && you.seats.length === 1;
  const prompt = mine && input.root ? ask(input, state.situation) : "";
  if (prompt) return alone ? prompt : say("asked-of", { name, prompt });
  return alone ? say("your-turn") : say("turn-of", { name });
}

/**
 * @param {Table} table
 * @param {State} state
 */
export function drawOffer(table, state) {
  const { live } = table;
  const offer = need("offer");
  const open = state.offer;
  offer.hidden = !open;
  offer.replaceChildren();
  if (!open) return;
  const from = state.seats[open.seat];
  const mine = state.you.seats.find((seat) => seat !== open.seat && !open.agreed.includes(seat) && state.seats[seat].status === "person");
  offer.append(h("p", {}, say(`offered-${open.what}`, { name: called(from) })));
  if (mine === undefined) return offer.append(h("p", { class: "soft" }, say("waits")));
  /** @param {boolean} yes */
  const answer = (yes) => {
    if (open.what === "rematch") table.again = yes;
    live.act("answer", { seat: mine, yes, ...(open.what === "rematch" && { value: random(16) }) });
  };
  offer.append(h("p", { class: "row" },
    h("button", { type: "button", class: "main", onclick: () => answer(true) }, say("accept")),
    h("button", { type: "button", onclick: () => answer(false) }, say("decline"))));
}

/**
 * The person for whom an atom is, if it names a seat: its piece, and "me" or the player's name.
 * @param {State | null} state
 * @param {string} atom
 * @returns {Node[] | null}
 */
export function forSeat(state, atom) {
  const named = formsOf(atom).map((form) => form.toLowerCase());
  const seat = state?.seats.find(({ label }) => named.includes(label.toLowerCase()));
  if (!state || !seat) return null;
  const mine = state.you.seats.length === 1 && state.you.seats[0] === seat.seat;
  const words = h("span", {}, mine ? say("for-me") : say("for-seat", { name: called(seat) }));
  return [decoration(state, seat.seat), words];
}

/** Show the reader's possible actions besides moves. @param {Table} table */
export function drawTools(table) {
  const { state } = table;
  if (!state) return;
  const seated = state.you.seats.length > 0;
  const playing = seated && state.begun && !state.outcome;
  const own = seated ? state.seats[table.seat] : null;
  showIf("flip", state.seats.length === 2 && !state.scene.panels.length);
  showIf("resign", playing && state.seats.length === 2);
  showIf("draw", playing && state.seats.length === 2);
  showIf("takeback", playing && state.ply > 0 && !alone(state));
  drawUndo(table);
  drawHelp(table);
  showIf("nudge", seated && state.you.seats.some((seat) => state.nudge.includes(seat)));
  showIf("hand", playing && own?.status === "person");
  showIf("take", playing && own?.status === "computer");
  showIf("seat-link", seated && table.token !== null && !table.live.here);
  showIf("my-devices", seated && !table.live.here);
  showIf("next-waiting", seated && !table.live.here && (state.outcome !== null || !state.choosing.some((seat) => state.you.seats.includes(seat))));
  showIf("seat-elsewhere", !seated && !table.live.here && state.begun && !state.outcome && state.seats.some((seat) => seat.status === "person" && !seat.bot));
  showIf("name-form", seated && own?.status === "person");
  need("sound").setAttribute("aria-pressed", String(memory.setting("sound")));
  need("confirm-moves").setAttribute("aria-pressed", String(memory.setting("confirm")));
  need("promise").textContent = state.commitment ?? "";
  showIf("promise-part", Boolean(state.commitment));
}

/**
 * @param {Table} table
 * @param {import("./table_state.js").Status} status
 * @param {string} [reason]  what the house said, where it could not go on
 */
export function drawConnection(table, status, reason = "") {
  table.online = status === "live" || status === "polling";
  drawStatus(table);
  const sign = need("connection");
  sign.className = `toast connection ${status}`;
  sign.textContent = status === "live" ? "" : reason || say(`connection-${status}`);
  sign.hidden = status === "live";
}
