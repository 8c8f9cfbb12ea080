// Moves that are pointed out: an arrow for every piece that moves, a ring if none does. The best
// one is the boldest; they differ in width as well as in colour.
import { s } from "./dom.js";
import { mainSpot, spots } from "./scene.js";

/** @typedef {import("./types.js").Scene} Scene */
/** A move to point out, or a place with a number. @typedef {import("./types.js").ShownMove & {badge?: string}} ShownMove */
/** @typedef {import("./scene.js").Point} Point */
/** @typedef {import("./marks.js").Drawing} Drawing */

/** Half of the height of a card, in units of the scene. */
const CARD = 50;
/** With more moves than this the arrows cannot be told apart. */
const MOST_ARROWS = 4;

/**
 * The drawings for some moves, the best first.
 * @param {Scene} scene
 * @param {ShownMove[]} moves
 * @param {number} room  how much room a cell has
 * @returns {{point: Point, drawing: Drawing}[]}
 */
export function arrows(scene, moves, room) {
  // The best is drawn last, over the others.
  const few = moves.some(({ badge }) => badge) ? moves : moves.slice(0, MOST_ARROWS);
  return few.flatMap((move, rank) => arrowsOf(scene, move, rank, room)).reverse();
}

/**
 * @param {Scene} scene
 * @param {ShownMove} move
 * @param {number} rank
 * @param {number} room
 * @returns {{point: Point, drawing: Drawing}[]}
 */
function arrowsOf(scene, { atoms, ways, badge }, rank, room) {
  const going = ways.flatMap((cells) => {
    const points = cells.flatMap((cell) => mainSpot(scene, cell) ?? []);
    return points.length > 1 ? [arrow(points, rank, room)] : [];
  });
  if (going.length) return going;
  return atoms.flatMap((atom) => {
    const [point] = spots(scene, atom);
    // Around a card, so that it can be read.
    const card = scene.pieces.some((piece) => piece.atom === atom);
    return point ? [ring(point, atom, badge ? 1 : rank, card ? 1.2 * CARD : 0.8 * room, badge)] : [];
  });
}

/**
 * A line through some points with a head at its end.
 * @param {Point[]} points
 * @param {number} rank
 * @param {number} room
 * @returns {{point: Point, drawing: Drawing}}
 */
function arrow(points, rank, room) {
  const end = points[points.length - 1];
  const before = points[points.length - 2];
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const head = room * 0.75;
  /** @param {number} back @param {number} aside @returns {[number, number]} */
  const off = (back, aside) => [
    end.x - back * Math.cos(angle) - aside * Math.sin(angle),
    end.y - back * Math.sin(angle) + aside * Math.cos(angle),
  ];
  const line = [...points.slice(0, -1).map(({ x, y }) => [x, y]), off(head * 0.8, 0)].join(" ");
  const tip = [off(0, 0), off(head, head * 0.6), off(head, -head * 0.6)].join(" ");
  return {
    point: points[0],
    drawing: [`arrow ${rank} ${line}`, () => {
      const group = s("g", { class: `arrow rank-${rank}` });
      group.append(s("polyline", { points: line }), s("polygon", { points: tip }));
      return group;
    }],
  };
}

/**
 * @param {Point} point
 * @param {string} atom
 * @param {number} rank
 * @param {number} radius
 * @param {string} [badge]  what stands beside it
 * @returns {{point: Point, drawing: Drawing}}
 */
function ring(point, atom, rank, radius, badge = "") {
  return {
    point,
    drawing: [`ring ${rank} ${point.x} ${point.y} ${badge}`, () => {
      const group = s("g", { class: `arrow rank-${rank}`, "data-at": atom });
      group.append(s("circle", { cx: point.x, cy: point.y, r: radius }));
      if (badge) {
        const [x, y] = [point.x + 0.7 * radius, point.y - 0.7 * radius];
        const words = s("text", { x, y, "font-size": 0.75 * radius, "text-anchor": "middle", "dominant-baseline": "central" });
        words.textContent = badge;
        group.append(s("circle", { class: "badge", cx: x, cy: y, r: 0.5 * radius }), words);
      }
      return group;
    }],
  };
}
