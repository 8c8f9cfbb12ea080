// One screen, hidden hands: where several sit at this screen, nobody sees another's hand.
import { h, need } from "./dom.js";
import { called } from "./voice.js";
import { say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./table.js").Table} Table */

/**
 * Cover the table until the person to move says that they are there.
 * @param {Table} table
 * @param {State} state
 */
export function drawCurtain({ live, main }, state) {
  const curtain = need("curtain");
  const { turn, you } = state;
  const due = state.hidden && !state.outcome && you.seats.length > 1 && typeof turn === "number"
    && you.seats.includes(turn) && you.as !== turn && state.seats[turn].status === "person";
  if (!due) {
    if (!curtain.hidden) main.inert = false;
    curtain.hidden = true;
    return;
  }
  curtain.replaceChildren(
    h("p", { id: "curtain-words" }, say("pass-to", { name: called(state.seats[turn]) })),
    h("button", { type: "button", class: "main", onclick: () => live.view(turn) }, say("show-hand")));
  if (!curtain.hidden) return;
  curtain.hidden = false;
  main.inert = true;
  curtain.querySelector("button")?.focus();
}
