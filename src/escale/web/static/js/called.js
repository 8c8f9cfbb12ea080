// What somebody at a table is called. A bot is always called one: in a line of text, and by a mark before its name.
import { h } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").SeatState} Seat */

/** Who sits there, in a line of text: their name, or the computer's level. @param {Seat} seat */
export function called(seat) {
  const name = plainName(seat);
  return seat.bot ? say("bot-named", { name }) : name;
}

/** The same beside a mark. @param {Seat} seat */
export function plainName(seat) {
  if (seat.status === "open") return "—";
  return (seat.status === "computer" ? seat.level_name : seat.name) || seat.label;
}

/** The mark of a bot; nothing before anybody else's name. @param {Seat} seat */
export function botMark(seat) {
  return seat.bot === true && h("span", { class: "bot-mark", title: say("bot-hint") }, say("bot"));
}
