// Finds the places under a finger, and those within its reach.
import { atomOf, spots } from "./scene.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./panels.js").DrawnPanel} DrawnPanel */
/** @typedef {import("./scene.js").Point} Point */
/**
 * What is at a point of the screen: the names there, uppermost first, and the nearest of some
 * names that a finger would reach from it.
 * @typedef {{names: string[], near: (names: Iterable<string>) => string | null}} Hit
 */

/** A finger reaches what is this near, in pixels. */
const REACH_PIXELS = 22;

/**
 * @param {Board} board
 * @param {number} clientX
 * @param {number} clientY
 * @returns {Hit}
 */
export function hit({ scene, panels, room }, clientX, clientY) {
  const drawn = panels.find(({ frame }) => {
    const box = frame.getBoundingClientRect();
    return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  });
  const found = drawn && onScene(drawn, clientX, clientY);
  if (!scene || !found) return { names: [], near: () => null };
  const { point, scale } = found;
  return {
    names: under(scene, point, room),
    near: (names) => {
      let best = null;
      let least = REACH_PIXELS / scale;
      for (const name of names) {
        for (const spot of spots(scene, name)) {
          if (apart(spot, point) < least) [best, least] = [name, apart(spot, point)];
        }
      }
      return best;
    },
  };
}

/**
 * The point of the scene that a panel shows at a point of the screen, and how many pixels a unit
 * of the scene is; null while the panel is not to be seen.
 * @param {DrawnPanel} drawn
 * @param {number} clientX
 * @param {number} clientY
 * @returns {{point: Point, scale: number} | null}
 */
export function onScene({ svg }, clientX, clientY) {
  const matrix = svg.getScreenCTM();
  if (!matrix) return null;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  return { point: { x, y }, scale: matrix.a };
}

/**
 * The names at a point of a scene, uppermost first.
 * @param {Scene} scene
 * @param {Point} point
 * @param {number} radius  of a cell without an outline
 * @returns {string[]}
 */
function under(scene, point, radius) {
  /** @type {(one: Point) => number} */
  const distance = (one) => apart(one, point);
  /** @template {Point} T @param {T[]} all */
  const nearest = (all) => all.sort((a, b) => distance(a) - distance(b))[0];
  const card = nearest(scene.pieces.filter((piece) => piece.atom && distance(piece) < 55));
  const cell = nearest(scene.cells.filter((one) => (one.outline.length ? within(one.outline, point) : distance(one) < Math.max(25, radius))));
  const area = scene.areas.find((one) => one.spots.some(([x, y]) => Math.abs(x - point.x) < 30 && Math.abs(y - point.y) < 30));
  const piece = nearest(scene.pieces.filter((one) => distance(one) < 45));
  const names = [card?.atom, cell?.id, area?.atom, piece && atomOf(scene, piece)];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/**
 * Whether a point lies in a polygon.
 * @param {[number, number][]} outline
 * @param {Point} point
 */
function within(outline, { x, y }) {
  let odd = false;
  outline.forEach(([ax, ay], index) => {
    const [bx, by] = outline.at(index - 1) ?? [0, 0];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  });
  return odd;
}

/** @param {Point} a @param {Point} b */
function apart(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
