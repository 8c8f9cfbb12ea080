// What lights places on a table: what was just done, what can be chosen, what has been, what was
// refused. Marks that stay are left alone, so that a mark pulses when it appears and never again.
import { s } from "./dom.js";
import { atomOf, spots } from "./scene.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./scene.js").Point} Point */
/** @typedef {{next: string[], places: string[], chosen: string[], refused: string[]}} Marks */
/** @typedef {{at: string, reason: string, symbol: string, point: Point, scale: number}} Mark */

/** Marks that a piece must not hide; the others lie under the pieces. */
const OVER = ["refused", "look"];

/**
 * Every mark of a scene, in the order in which they are drawn.
 * @param {Scene} scene
 * @param {Marks} marks
 * @param {number} room  how much room a cell has
 * @returns {Mark[]}
 */
export function lit(scene, marks, room) {
  const taken = new Set(scene.pieces.flatMap((piece) => [piece.at, atomOf(scene, piece)]));
  const cells = new Set(scene.cells.map((cell) => cell.id));
  const cards = new Set(scene.pieces.map((piece) => piece.atom));
  const chosen = new Set(marks.chosen);
  const reasons = [
    ...Object.entries(scene.highlights).filter(([at]) => !chosen.has(at)),
    ...marks.next.map((at) => [at, "next"]),
    ...marks.chosen.map((at) => [at, "chosen"]),
    ...marks.refused.map((at) => [at, "refused"]),
  ];
  return reasons.flatMap(([at, reason]) => distinct(spots(scene, at)).map((point) => ({
    at, reason, point,
    symbol: reason === "next" && taken.has(at) ? "next-piece" : reason,
    scale: cards.has(at) || (reason === "look" && !cells.has(at)) ? 1.2 : room / 50,
  })));
}

/** @param {Mark} mark */
export function isOver({ reason }) {
  return OVER.includes(reason);
}

/** @param {Mark} mark @returns {[string, () => SVGElement]} */
export function drawing({ at, reason, symbol, point, scale }) {
  const transform = `translate(${point.x} ${point.y}) scale(${scale})`;
  return [`${symbol} ${at} ${transform}`, () => s("use", {
    class: `mark ${reason}`, "data-at": at, href: `#escale-${symbol}`, transform,
  })];
}

/**
 * The cells that stand for what can be chosen, lit as a whole.
 * @param {Scene} scene
 * @param {Marks} marks
 * @param {number} room
 * @returns {{point: Point, drawing: [string, () => SVGElement]}[]}
 */
export function litPlaces(scene, marks, room) {
  const places = new Set(marks.places);
  return scene.cells.filter((cell) => places.has(cell.id)).map((cell) => ({
    point: cell,
    drawing: [`place ${cell.id} ${cell.x} ${cell.y}`, () => shape(cell, room, { class: "mark next place", "data-at": cell.id })],
  }));
}

/**
 * A cell's outline, or its round hole.
 * @param {Cell} cell
 * @param {number} r  of a hole
 * @param {Record<string, string>} look
 */
export function shape({ outline, x, y }, r, look) {
  if (!outline.length) return s("circle", { ...look, cx: x, cy: y, r });
  return s("polygon", { ...look, points: outline.map((corner) => corner.join()).join(" ") });
}

/**
 * Let a layer hold just these drawings, each under a key: those that it holds already stay.
 * @param {SVGElement} layer
 * @param {[string, () => SVGElement][]} drawings
 */
export function fill(layer, drawings) {
  const wanted = new Map(drawings);
  for (const child of /** @type {SVGElement[]} */ ([...layer.children])) {
    if (!wanted.has(child.dataset.key ?? "")) child.remove();
  }
  const held = new Map(/** @type {SVGElement[]} */ ([...layer.children]).map((child) => [child.dataset.key, child]));
  let here = layer.firstElementChild;
  for (const [key, draw] of wanted) {
    const element = held.get(key) ?? draw();
    element.dataset.key = key;
    if (element === here) here = here.nextElementSibling;
    else layer.insertBefore(element, here);
  }
}

/** @param {Point[]} points */
function distinct(points) {
  return [...new Map(points.map((point) => [`${point.x},${point.y}`, point])).values()];
}
