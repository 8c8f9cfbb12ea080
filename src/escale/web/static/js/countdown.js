// Endings that the game will reach by itself soon: counted down beside the board, and now and then
// aloud.
import { h, need } from "./dom.js";

/** @typedef {import("./table_state.js").State} State */

/** The numbers of plies left at which it is announced aloud, too. */
const ALOUD = [20, 10, 5, 3, 2, 1];

/** @param {State} state */
export function drawCountdowns({ countdowns }) {
  const box = need("countdowns");
  const words = countdowns.map(({ text }) => text);
  if (box.hidden === !words.length && box.textContent === words.join("")) return;
  box.hidden = !words.length;
  box.replaceChildren(...words.map((text) => h("p", {}, text)));
  for (const { left, text } of countdowns) {
    if (left === null || ALOUD.includes(left)) need("announcements").append(h("p", {}, text));
  }
}
