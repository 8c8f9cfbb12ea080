// Marks of places on a table: the last move, possible choices, chosen atoms, refused places. Marks
// that stay are left alone, so that a mark pulses when it appears and never again.
import { transform } from "./animate.js";
import { arrows } from "./arrows.js";
import { s } from "./dom.js";
import { shape } from "./draw.js";
import { atomOf, mainSpot, spots } from "./scene.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./scene.js").Point} Point */
/** @typedef {import("./preview.js").Way} Way */
/** @typedef {import("./types.js").Became} Became */
/**
 * The names that are lit: what may be chosen next, the cells that stand for it, what has been
 * chosen, what was refused; the ways that pieces would go, and what has become of those they jump.
 * @typedef {{next: string[], places: string[], chosen: string[], refused: string[], ways: Way[], became: Became[]}} Marks
 */
/** @typedef {{at: string, reason: string, symbol: string, point: Point, scale: number}} Mark */
/** A key, and what draws the element that stands under it. @typedef {[string, () => SVGElement]} Drawing */

/** Nothing is lit. @type {Marks} */
export const NONE = { next: [], places: [], chosen: [], refused: [], ways: [], became: [] };

/** Marks that a piece must not hide; the others lie under the pieces. */
const OVER = ["refused", "look", "end"];

/** How large the mark of an end is beside the board, where pieces lie close. */
const BESIDE = 0.6;

/**
 * Draw all marks of a board, and where its keyboard is.
 * @param {Board} board
 */
export function drawMarks(board) {
  const { scene, marks, room, cursor } = board;
  if (!scene) return;
  const all = lit(scene, marks, room);
  const places = litPlaces(scene, marks, room);
  const ghosts = [...jumpedOf(board, scene, marks.became), ...ghostsOf(board, scene, marks.ways)];
  const jumped = new Set(marks.became.map(({ at }) => at));
  const pointed = arrows(scene, board.shown, room);
  for (const drawn of board.panels) {
    const here = all.filter(({ point }) => board.panelAt(point) === drawn);
    const over = here.filter(isOver).map(drawing);
    if (cursor && board.panelAt(cursor) === drawn) over.push(cursorDrawing(cursor, room));
    const under = places.filter(({ point }) => board.panelAt(point) === drawn).map((place) => place.drawing);
    const hulls = hullsOf(scene, room).filter(({ point }) => board.panelAt(point) === drawn).flatMap((hull) => hull.drawings);
    const line = wayOf(scene, marks.ways, room).filter(({ point }) => board.panelAt(point) === drawn);
    over.unshift(...ghosts.filter(({ point }) => board.panelAt(point) === drawn).map((ghost) => ghost.drawing));
    over.push(...pointed.filter(({ point }) => board.panelAt(point) === drawn).map((arrow) => arrow.drawing));
    fill(drawn.layers.marks, [...hulls, ...under, ...line.map((one) => one.drawing), ...here.filter((mark) => !isOver(mark)).map(drawing)]);
    fill(drawn.layers.over, over);
  }
  for (const { element, piece } of board.pieces) {
    const [way] = marks.ways.length === 1 && marks.chosen.length > 1 ? marks.ways : [];
    element.classList.toggle("left", way !== undefined && way.sure && piece.at === way.cells[0]);
    element.classList.toggle("gone", jumped.has(piece.at));
    element.classList.toggle("live", marks.next.includes(element.dataset.atom ?? "") && !piece.extra);
  }
}

/**
 * Every mark of a scene, in the order in which they are drawn.
 * @param {Scene} scene
 * @param {Marks} marks
 * @param {number} room  how much room a cell has
 * @returns {Mark[]}
 */
function lit(scene, marks, room) {
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
    scale: cards.has(at) || (reason === "look" && !cells.has(at)) ? 1.2
      : (room / 50) * (reason === "end" && !cells.has(at) ? BESIDE : 1),
  })));
}

/** @param {Mark} mark */
function isOver({ reason }) {
  return OVER.includes(reason);
}

/** @param {Mark} mark @returns {Drawing} */
function drawing({ at, reason, symbol, point, scale }) {
  const transform = `translate(${point.x} ${point.y}) scale(${scale})`;
  return [`${symbol} ${at} ${transform}`, () => s("use", {
    class: `mark ${reason}`, "data-at": at, href: `#escale-${symbol}`, transform,
  })];
}

/** @param {Point} cursor @param {number} room @returns {Drawing} */
function cursorDrawing({ x, y }, room) {
  return [`cursor ${x} ${y}`, () => s("circle", { class: "cursor", r: Math.max(38, room), cx: x, cy: y })];
}

/** What a hull is drawn with: its rim, and what is within; and how wide that is beside a cell. @type {[string, number][]} */
const HULL = [["rim", 1.75], ["inside", 1.53]];

/**
 * The hulls of what some cells form together, each a band along them.
 * @param {Scene} scene
 * @param {number} room
 * @returns {{point: Point, drawings: Drawing[]}[]}
 */
function hullsOf(scene, room) {
  return scene.hulls.map((cells) => {
    const middles = cells.flatMap((cell) => mainSpot(scene, cell) ?? []);
    const points = middles.map(({ x, y }) => `${x},${y}`).join(" ");
    return {
      point: middles[0],
      drawings: HULL.map(([part, width]) => /** @type {Drawing} */ ([`hull ${part} ${points}`, () => s("polyline", {
        class: `hull ${part}`, points, "stroke-width": width * room, ...(part === "rim" && { "data-at": cells.join(" ") }),
      })])),
    };
  });
}

/**
 * The cells that stand for what can be chosen, lit as a whole.
 * @param {Scene} scene
 * @param {Marks} marks
 * @param {number} room
 * @returns {{point: Point, drawing: Drawing}[]}
 */
function litPlaces(scene, marks, room) {
  const places = new Set(marks.places);
  return scene.cells.filter((cell) => places.has(cell.id)).map((cell) => ({
    point: cell,
    drawing: [`place ${cell.id} ${cell.x} ${cell.y}`, () => shape(cell, room, { class: "mark next place", "data-at": cell.id })],
  }));
}

/**
 * The way of a piece that would go alone, where it goes from one cell to another near it: a line
 * across the table, such as round the end of a ring, would be no way.
 * @param {Scene} scene
 * @param {Way[]} ways
 * @param {number} room
 * @returns {{point: Point, drawing: Drawing}[]}
 */
function wayOf(scene, ways, room) {
  if (ways.length !== 1) return [];
  const points = ways[0].cells.flatMap((cell) => mainSpot(scene, cell) ?? []);
  const far = points.some(({ x, y }, index) => index && Math.hypot(x - points[index - 1].x, y - points[index - 1].y) > 4.1 * room);
  if (far) return [];
  const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
  return points.slice(0, 1).map((point) => ({
    point, drawing: [`way ${line}`, () => s("polyline", { class: "way", points: line })],
  }));
}

/**
 * The pieces where they would land, faintly; fainter where that is not decided yet.
 * @param {Board} board
 * @param {Scene} scene
 * @param {Way[]} ways
 * @returns {{point: Point, drawing: Drawing}[]}
 */
function ghostsOf({ slug }, scene, ways) {
  return ways.flatMap(({ cells, sure }) => {
    const piece = scene.pieces.find((one) => one.at === cells[0] && !one.extra);
    const point = mainSpot(scene, cells[cells.length - 1]);
    if (!piece || !point) return [];
    const place = transform(point.x, point.y, piece.facing);
    return [{
      point,
      drawing: /** @type {Drawing} */ ([`ghost ${piece.symbol} ${place} ${sure}`, () => s("use", {
        class: sure ? "ghost sure" : "ghost", "data-at": cells[cells.length - 1],
        href: `#${slug}-${piece.symbol}`, transform: place,
      })]),
    }];
  });
}

/**
 * What stands now where pieces were jumped.
 * @param {Board} board
 * @param {Scene} scene
 * @param {Became[]} became
 * @returns {{point: Point, drawing: Drawing}[]}
 */
function jumpedOf({ slug }, scene, became) {
  return became.flatMap(({ at, symbol, facing }) => {
    const point = mainSpot(scene, at);
    if (!point || symbol === null) return [];
    const place = transform(point.x, point.y, facing === null ? null : (facing + 90 * scene.quarters) % 360);
    return [{
      point,
      drawing: /** @type {Drawing} */ ([`became ${at} ${symbol} ${place}`, () => s("use", {
        class: "became", "data-at": at, href: `#${slug}-${symbol}`, transform: place,
      })]),
    }];
  });
}

/**
 * Let a layer hold just these drawings, each under a key: those that it holds already stay.
 * @param {SVGElement} layer
 * @param {Drawing[]} drawings
 */
function fill(layer, drawings) {
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
