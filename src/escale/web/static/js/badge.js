// The emblem of a seat: its piece, drawn from the game's art, or another symbol of the game.
import { s } from "./dom.js";

/** @typedef {import("./table_state.js").State} State */

/** What part of a symbol's box its drawing fills, as far as it has been measured. @type {Map<string, string>} */
const frames = new Map();
const MARGIN = 6; // around a drawing, for the width of its lines

/**
 * The emblem of a seat beside words that name it.
 * @param {State} state
 * @param {number} seat
 */
export function decoration({ badges, game }, seat) {
  const { symbol } = badges[seat];
  const viewBox = frames.get(symbol) ?? "-50 -50 100 100";
  const drawing = s("svg", { class: "emblem", viewBox, "data-symbol": symbol, "aria-hidden": "true" });
  drawing.append(s("use", { href: `#${game}-${symbol}` }));
  return drawing;
}

/**
 * The emblem of a seat as a picture with a description.
 * @param {State} state
 * @param {number} seat
 */
export function emblem(state, seat) {
  const { name } = state.badges[seat];
  const drawing = decoration(state, seat);
  const title = s("title");
  title.textContent = name;
  drawing.prepend(title);
  drawing.removeAttribute("aria-hidden");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", name);
  return drawing;
}

/**
 * Let the emblems on a part of the page that is shown fill their pictures, however large pieces are on
 * the board.
 * @param {Element} part
 */
export function frame(part) {
  for (const drawing of /** @type {NodeListOf<SVGSVGElement>} */ (part.querySelectorAll(".emblem"))) {
    const symbol = drawing.dataset.symbol ?? "";
    if (!frames.has(symbol)) {
      const { x, y, width, height } = drawing.getBBox();
      if (!width) continue;
      const side = Math.max(width, height) + 2 * MARGIN;
      frames.set(symbol, `${x - (side - width) / 2} ${y - (side - height) / 2} ${side} ${side}`);
    }
    drawing.setAttribute("viewBox", frames.get(symbol) ?? "");
  }
}
