// The side of the board that is near: the reader's own at first, then as the reader turned it.
import * as memory from "./memory.js";

/** @typedef {import("./table_state.js").State} State */
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
 * Show the board from my side, if I sit opposite another; as the reader turned it, if they did.
 * @param {Table} table
 * @param {State} state
 */
export function face({ board, id }, { near, scene, seats, you }) {
  const opposite = seats.length === 2 && you.seats.length === 1 && !scene.panels.length;
  board.flipped = memory.turned(id) ?? (opposite && near !== you.seats[0]);
}
