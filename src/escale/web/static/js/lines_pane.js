// The best lines beside a board: what each is worth to every seat, and its moves as buttons.
import { h } from "./dom.js";
import { lang, say } from "./words.js";

/** @typedef {import("./types.js").AnalysisLine} AnalysisLine */
/** @typedef {import("./types.js").AnalysisLook} AnalysisLook */
/** @typedef {import("./types.js").ShownMove} ShownMove */

const whole = new Intl.NumberFormat(lang, { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 0 });

/**
 * @param {HTMLElement} host  a list
 * @param {AnalysisLook} look
 * @param {string[]} seats  what the seats are called
 * @param {(moves: ShownMove[]) => void} play  go along a line
 */
export function drawLines(host, look, seats, play) {
  host.replaceChildren(...look.lines.map((line, rank) => h(
    "li", { class: `line rank-${Math.min(rank, 3)}` },
    h("p", { class: "line-value" }, h("strong", {}, shares(line, seats)), " ", h("span", {}, line.verdict)),
    h("p", { class: "line-moves" }, ...line.moves.map((move, number) => h("button", {
      type: "button", class: "move", onclick: () => play(line.moves.slice(0, number + 1)),
    }, move.label))),
  )));
}

/**
 * What a line is worth in numbers; where all seats but one have nothing, that one alone.
 * @param {AnalysisLine} line
 * @param {string[]} seats
 */
function shares(line, seats) {
  return line.shares.map((share, seat) => say("an-share", { seat: seats[seat], share: percent.format(share) })).join(" · ");
}

/**
 * The best line in one line: its worth, and as many of its moves as there is room for.
 * @param {AnalysisLine} line
 * @param {string[]} seats
 */
export function bestLine(line, seats) {
  return [`${shares(line, seats)} :`, ...line.moves.map((move) => move.label)].map((part) => h("span", {}, `${part} `));
}

/** How much was looked at. @param {AnalysisLook} look */
export function effort(look) {
  const count = whole.format(look.count);
  const { depth } = look;
  const words = look.method === "alphabeta" ? say("an-positions", { count, depth }) : say("an-games", { count, depth });
  return look.last ? say("an-done", { words }) : say("an-going", { words });
}
