// What people are called, and who acts, in the log and for ears. The house sends the same sentences to all: who "you" are, only the
// page knows, so it says that before the sentence, where no verb has to agree.
import { h } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {import("./types.js").SeatState} Seat */

/** Who sits there, in a line of text: their name, or the computer's level. A bot is called one. @param {Seat} seat */
export function called(seat) {
  return seat.bot ? say("bot-named", { name: plainName(seat) }) : plainName(seat);
}

/** The same beside the mark of a bot. @param {Seat} seat */
export function plainName(seat) {
  if (seat.status === "open") return "—";
  return (seat.status === "computer" ? seat.level_name : seat.name) || seat.label;
}

/** The mark of a bot, so that nobody takes it for a person; nothing for anybody else. @param {Seat} seat */
export function botMark(seat) {
  return seat.bot === true && h("span", { class: "bot-mark", title: say("bot-hint") }, say("bot"));
}

/**
 * Who acts, as the log says it: the reader, a name or a level, and which seat that is.
 * @param {State} state
 * @param {number} number
 */
export function voice({ seats, you }, number) {
  const seat = seats[number];
  const mine = you.seats.length === 1 && you.seats[0] === number;
  if (seat.bot && !mine) return say("voice-bot", { name: plainName(seat), seat: seat.label });
  const who = mine ? say("you-act") : plainName(seat);
  return seat.status === "open" || who === seat.label ? seat.label : say("voice", { who, seat: seat.label });
}

/** The seats whose act, or whose win, a line of the log is; who sits down is named in the line. @param {LogItem} item */
export function actors(item) {
  if (item.do === "end") return item.outcome?.winners ?? [];
  return item.do === "sit" || typeof item.seat !== "number" ? [] : [item.seat];
}

/**
 * A line of the log for ears: who acts, then what happened.
 * @param {State} state
 * @param {LogItem} item
 */
export function spoken(state, item) {
  const who = item.do === "play" ? actors(item).map((seat) => voice(state, seat)) : [];
  return who.length ? say("spoken", { who: who.join(", "), told: item.told }) : item.told;
}
