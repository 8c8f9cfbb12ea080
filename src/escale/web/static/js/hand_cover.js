// One screen, hidden hands: if several players share this screen, no one sees another's hand.
// Between two of them the table is shown as a spectator sees it, with a strip in the place of the
// hand.
import { h, need } from "./dom.js";
import { called } from "./voice.js";
import { say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./table.js").Table} Table */

/**
 * Cover the hand until the person who has to choose says that they are there. If nothing is hidden,
 * the table is shown as they see it, without a question.
 * @param {Table} table
 * @param {State} state
 * @param {number} lasts  how long pieces are still on their way, in milliseconds
 */
export function coverHand({ board, live, main }, state, lasts) {
  const { choosing, seats, veiled, you } = state;
  const turn = choosing.find((seat) => you.seats.includes(seat) && seats[seat].status === "person");
  const due = state.hidden && !state.outcome && you.seats.length > 1 && turn !== undefined
    && !choosing.includes(you.as ?? -1);
  const known = document.getElementById("hand-cover");
  main.classList.toggle("covered", due && veiled);
  if (!due || !veiled) known?.remove();
  if (!due) return;
  const other = veiled ? null : turn;
  if (you.as !== other) {
    // First the last move is shown to its end.
    setTimeout(() => {
      if (live.state === state) live.view(other);
    }, lasts);
  }
  if (!veiled) return;
  const strip = known ?? h("div", { id: "hand-cover", role: "group", "aria-labelledby": "hand-cover-words" });
  strip.replaceChildren(
    h("p", { id: "hand-cover-words" }, say("pass-to", { name: called(seats[turn]) })),
    h("button", { type: "button", class: "main", onclick: () => live.view(turn) }, say("show-hand")));
  const place = board.panels.find(({ panel }) => panel.id === "hand")?.frame ?? need("board");
  if (strip.parentElement === place) return;
  place.append(strip);
  strip.querySelector("button")?.focus({ preventScroll: true });
}
