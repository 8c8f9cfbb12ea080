// What stands for a seat: its piece, drawn from the game's art, or whatever else the game says.
import { s } from "./dom.js";

/** @typedef {import("./live.js").State} State */

/**
 * The emblem of a seat, as a small picture that says what it shows.
 * @param {State} state
 * @param {number} seat
 */
export function emblem({ badges, game }, seat) {
  const { symbol, name } = badges[seat];
  const drawing = s("svg", { class: "emblem", viewBox: "-50 -50 100 100", role: "img", "aria-label": name });
  const title = s("title");
  title.textContent = name;
  drawing.append(title, s("use", { href: `#${game}-${symbol}` }));
  return drawing;
}

/**
 * The same beside words that name the seat.
 * @param {State} state
 * @param {number} seat
 */
export function decoration(state, seat) {
  const drawing = emblem(state, seat);
  drawing.removeAttribute("role");
  drawing.removeAttribute("aria-label");
  drawing.setAttribute("aria-hidden", "true");
  return drawing;
}
