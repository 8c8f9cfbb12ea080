// A scene from its two parts, as src/escale/game/state_of_play.py takes it apart: the board, which never
// changes and comes with the page, and the state of play, of which the house sends what differs.
import { ask } from "./ask.js";
import { block } from "./words.js";

/** @typedef {import("./types.js").Area} Area */
/** @typedef {import("./types.js").BoardFacts} BoardFacts */
/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").StateOfPlay} Play */
/** Where pieces lie on a cell or in an area. @typedef {Map<string, [number, number][]>} Places */

/** Boards by their addresses. @type {Map<string, BoardFacts>} */
const boards = new Map(Object.entries(block("boards")));

/** Whether the board of some state of play is here. @param {string} address */
export function isKnown(address) {
  return boards.has(address);
}

/** Ask for a board: the house has another than when it made the page. @param {string} address */
export async function learn(address) {
  boards.set(address, await ask(address));
}

/**
 * The state of play after a difference.
 * @param {Play} play
 * @param {Record<string, any>} difference
 * @returns {Play}
 */
export function merge(play, difference) {
  const { pieces: edits } = difference;
  if (!edits || Array.isArray(edits)) return { ...play, ...difference };
  const pieces = play.pieces.filter((_, number) => !edits.out.includes(number));
  for (const [number, piece] of edits.in) pieces.splice(number, 0, piece);
  return { ...play, ...difference, pieces };
}

/**
 * The scene of a state of play.
 * @param {Play} play
 * @param {BoardFacts} [board]
 * @returns {Scene}
 */
export function join(play, board = /** @type {BoardFacts} */ (boards.get(play.board))) {
  const cells = play.cells ? play.cells.flatMap((run) => cellsOf(board, run)) : board.cells;
  const areas = play.areas ? play.areas.map((sent) => areaOf(board, sent)) : board.areas;
  const places = placesOf(cells, areas);
  return {
    width: play.width ?? board.width,
    height: play.height ?? board.height,
    quarters: play.quarters ?? board.quarters,
    places: play.places ?? board.places,
    cells,
    areas,
    labels: unrolled(play.labels, board.labels),
    panels: unrolled(play.panels, board.panels),
    pieces: play.pieces.map(([at, name, where = 0, ...facts]) => pieceOf(board, places, at, name, where, facts)),
    turn: play.turn,
    highlights: play.highlights,
    tallies: /** @type {any} */ (play.tallies),
    hulls: play.hulls ?? [],
  };
}

/**
 * Some of the board's cells, where they stand now; or one that it does not have.
 * @param {BoardFacts} board
 * @param {any} run
 * @returns {Cell[]}
 */
function cellsOf(board, run) {
  if (!Array.isArray(run)) return [run];
  const [first, count, dx, dy, extra, symbol, glyph] = run;
  return board.cells.slice(first, first + count).map((cell) => ({
    ...cell,
    x: cell.x + dx,
    y: cell.y + dy,
    outline: cell.outline.map(([x, y]) => [x + dx, y + dy]),
    extra: Boolean(extra),
    symbol: symbol ?? cell.symbol,
    glyph: glyph ?? cell.glyph,
  }));
}

/**
 * @param {BoardFacts} board
 * @param {any} sent
 * @returns {Area}
 */
function areaOf(board, sent) {
  if (!Array.isArray(sent)) return sent;
  const [number, dx, dy] = sent;
  const own = board.areas[number];
  return { ...own, spots: own.spots.map(([x, y]) => [x + dx, y + dy]) };
}

/**
 * A list in which `[first, count]` stands for some of the board's.
 * @template T
 * @param {any[] | null | undefined} sent
 * @param {T[]} board
 * @returns {T[]}
 */
function unrolled(sent, board) {
  if (!sent) return board;
  return sent.flatMap((item) => (item.length === 2 ? board.slice(item[0], item[0] + item[1]) : [item]));
}

/** The name of a cell that is shown once more ends in a space. @param {string} at @param {boolean} extra */
const placeName = (at, extra) => (extra ? `${at} ` : at);

/**
 * @param {Cell[]} cells
 * @param {Area[]} areas
 * @returns {Places}
 */
function placesOf(cells, areas) {
  return new Map([
    ...cells.map(({ id, extra, x, y }) => /** @type {[string, [number, number][]]} */ ([placeName(id, extra), [[x, y]]])),
    ...areas.map(({ id, spots }) => /** @type {[string, [number, number][]]} */ ([id, spots])),
  ]);
}

/**
 * @param {BoardFacts} board
 * @param {Places} places
 * @param {string} at
 * @param {string} name
 * @param {number | [number, number]} where
 * @param {[string, any][]} facts
 * @returns {Piece}
 */
function pieceOf(board, places, at, name, where, facts) {
  const { symbol, glyph, owner, facing } = board.kinds[name];
  const more = Object.fromEntries(facts);
  const spots = places.get(placeName(at, more.extra)) ?? [];
  const [x, y] = typeof where === "number" ? spots[where] : where;
  return { at, name, symbol, glyph, owner, x, y, facing, label: "", atom: "", faded: false, extra: false, ...more };
}
