// Finds the ways of pieces before a move is made: from the tree of legal moves, and from the ways
// that the house sends if the atoms do not contain them.
import { after, moves } from "./trie.js";

/** @typedef {import("./trie.js").Branch} Branch */
/** @typedef {import("./types.js").Scene} Scene */
/** The cells through which a piece would go, and whether that is decided by what has been chosen. @typedef {{cells: string[], sure: boolean}} Way */

/** With more moves than this no ways are shown. */
const MOST_MOVES = 400;

/**
 * The ways of the pieces, as far as all moves agree that go on from what has been chosen; where they
 * do not, those that the next choice would decide.
 * @param {Branch | null} root
 * @param {string[]} path  what has been chosen, or would be
 * @param {Record<string, string>} knownWays  the ways of moves, by their text
 * @param {Scene} scene
 * @returns {Way[]}
 */
export function preview(root, path, knownWays, scene) {
  const node = root && path.length ? after(root, path) : null;
  if (!node) return [];
  /** @type {Map<string, Way>} */
  const found = new Map();
  for (const [key, cells] of common(node, path, knownWays, scene)) found.set(key, { cells, sure: true });
  for (const [atom, next] of typeof node === "string" ? [] : Object.entries(node)) {
    for (const [key, cells] of next === null ? [] : common(next, [...path, atom], knownWays, scene)) {
      if (!found.has(key)) found.set(key, { cells, sure: false });
    }
  }
  return [...found.values()];
}

/**
 * The ways that all moves below a node have, by what lands where: of two pieces that look the same
 * it does not matter which goes where, and moves that differ in nothing else are one move.
 * @param {Branch | string} node
 * @param {string[]} path
 * @param {Record<string, string>} knownWays
 * @param {Scene} scene
 * @returns {Map<string, string[]>}
 */
function common(node, path, knownWays, scene) {
  const [first, ...others] = (moves(node, MOST_MOVES) ?? []).map(({ atoms, text }) => {
    const ways = waysOf(text, [...path, ...atoms], knownWays, scene).map((way) => way.split("-"));
    return new Map(ways.map((cells) => [`${looksOf(scene, cells[0])} ${cells[cells.length - 1]}`, cells]));
  });
  return new Map([...first ?? []].filter(([key]) => others.every((ways) => ways.has(key))));
}

/**
 * What the piece on a cell looks like.
 * @param {Scene} scene
 * @param {string} cell
 */
function looksOf(scene, cell) {
  const piece = scene.pieces.find((one) => one.at === cell);
  return piece ? `${piece.symbol} ${piece.label}` : "";
}

/**
 * The ways of a move: as the house tells them, else from cell to cell as it is pointed at.
 * @param {string} text
 * @param {string[]} atoms
 * @param {Record<string, string>} knownWays
 * @param {Scene} scene
 * @returns {string[]}
 */
function waysOf(text, atoms, knownWays, scene) {
  if (Object.hasOwn(knownWays, text)) return knownWays[text].split(" ").filter(Boolean);
  const cells = atoms.filter((atom) => scene.cells.some((cell) => cell.id === atom));
  return cells.length > 1 ? [cells.join("-")] : [];
}
