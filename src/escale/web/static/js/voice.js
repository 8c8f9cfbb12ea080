// Who acts, in the log and for ears. The house sends the same sentences to all: who "you" are, only the
// page knows, so it says that before the sentence, where no verb has to agree.
import { plainName } from "./called.js";
import { say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").LogItem} LogItem */

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
