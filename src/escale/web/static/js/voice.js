// The names of players, and who acts, in the log and for screen readers. The house sends the same
// sentences to all: who "you" are, only the page knows, so it says that before the sentence, where
// no verb has to agree.
import { h } from "./dom.js";
import { labelOf } from "./pointed.js";
import { block, say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {import("./types.js").SeatState} Seat */

/**
 * A field for one's name or, where names come from a list, a choice; at first any of them.
 * @param {string} id
 * @param {string} now
 * @param {boolean} listed
 */
export function nameField(id, now, listed) {
  if (!listed) return h("input", { id, type: "text", maxlength: 40, autocomplete: "nickname", value: now });
  const known = /** @type {string[]} */ (block("listed-names"));
  now ||= known[Math.floor(Math.random() * known.length)];
  const names = known.includes(now) ? known : [now, ...known];
  return h("select", { id }, ...names.map((name) => h("option", { selected: name === now }, name)));
}

/** The player of a seat, in a line of text, with the name that the house gives: all are different.
 * @param {Seat} seat
 */
export function called(seat) {
  return seat.status === "open" ? "—" : seat.called;
}

/** The player of a seat, beside the seat's label and the mark of a bot. @param {Seat} seat */
export function plainName(seat) {
  if (seat.status === "open") return "—";
  if (seat.status === "computer") return seat.name ? seat.called : seat.level_name ?? seat.label;
  return seat.name || seat.label;
}

/** The mark of a bot, so that it is not taken for a person; empty for other players. @param {Seat}
 * seat
 */
export function botMark(seat) {
  return seat.bot === true && h("span", { class: "bot-mark", title: say("bot-hint") }, say("bot"));
}

/**
 * The name of the one who acts, for the log: the reader, a name or a level, and which seat that is.
 * @param {State} state
 * @param {number} number
 * @param {string} [by]  the computer that acted for a person, where it did
 */
export function voice({ seats, you }, number, by) {
  const seat = seats[number];
  if (by) return say("voice", { who: by, seat: seat.label });
  const mine = you.seats.length === 1 && you.seats[0] === number;
  if (seat.bot && !mine) return say("voice-bot", { name: plainName(seat), seat: seat.label });
  const who = mine ? say("you-act") : seat.name || plainName(seat);
  return seat.status === "open" || who === seat.label ? seat.label : say("voice", { who, seat: seat.label });
}

/** The seats whose act, or whose win, a line of the log is; who sits down is named in the line. @param {LogItem} item */
export function actors(item) {
  if (item.do === "end") return item.outcome?.winners ?? [];
  return item.do === "sit" || typeof item.seat !== "number" ? [] : [item.seat];
}

/**
 * The cards that the reader holds, for ears, in the order in which they are drawn; empty where none are.
 * @param {import("./types.js").Scene} scene
 */
export function heldCards(scene) {
  const cards = scene.pieces.filter((piece) => piece.atom && !piece.extra).map((piece) => labelOf(piece.atom));
  if (!cards.length) return "";
  return say(cards.length === 1 ? "holds-card" : "holds-cards", { count: cards.length, cards: cards.join(", ") });
}

/**
 * A line of the log for ears: who acts, then what happened.
 * @param {State} state
 * @param {LogItem} item
 */
export function spoken(state, item) {
  const who = item.do === "play" ? actors(item).map((seat) => voice(state, seat, item.by)) : [];
  return who.length ? say("spoken", { who: who.join(", "), sentence: item.sentence }) : item.sentence;
}
