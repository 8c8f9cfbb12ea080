// Which side of the board is near: the own one at first, then as the reader turned it.
import * as memory from "./memory.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./table.js").Table} Table */

/**
 * Turn the board to its other side, and remember that.
 * @param {Table} table
 */
export function turn({ board, id, input, people, state }) {
  board.turn();
  if (state) people.draw(state); // whose side is near has changed
  memory.keepTurned(id, board.flipped);
  input.light();
}

/**
 * Show the board from my side, if I sit opposite.
 * @param {Table} table
 * @param {State} state
 */
export async function face(table, state) {
  const { seats, as } = state.you;
  if (memory.turned(table.id) !== null || state.seats.length !== 2 || seats.length !== 1 || state.scene.panels.length) return;
  /** @type {Scene} */
  const start = state.ply ? (await table.story.page(0)).scene : state.scene;
  /** How far down one side's pieces are. @param {boolean} mine */
  const height = (mine) => {
    const side = start.pieces.filter(({ owner }) => owner !== null && (owner === (as ?? seats[0])) === mine);
    return side.reduce((sum, piece) => sum + piece.y, 0) / side.length;
  };
  if (height(false) - height(true) > start.height / 5) turn(table);
}
