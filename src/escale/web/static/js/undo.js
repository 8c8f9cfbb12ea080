// Takes a move back at once, if no one else has to agree: against the computer, and if all players
// share a screen. Between people it is an offer (actions.js).
import { need, showIf } from "./dom.js";
import { note } from "./notices.js";
import { say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./table.js").Table} Table */

/** Whether all other people's seats are mine. @param {State} state */
export function alone({ seats, you }) {
  return you.seats.length > 0
    && seats.every(({ seat, status }) => status === "computer" || you.seats.includes(seat));
}

/**
 * Why nothing can be taken back; empty where something can.
 * @param {State} state
 */
function why({ begun, outcome, takeback }) {
  if (outcome) return say("undo-over");
  return !begun || takeback === null ? say("undo-nothing") : "";
}

/** @param {Table} table */
export function drawUndo({ state }) {
  if (!state) return;
  showIf("undo", alone(state));
  const button = need("undo");
  const reason = why(state);
  button.setAttribute("aria-disabled", String(reason !== ""));
  button.title = reason || say("undo-help");
}

/**
 * Take back the last decision, with all that followed from it. The newest state says which it is:
 * what has not been shown yet is taken back with it.
 * @param {Table} table
 */
export async function undo(table) {
  const { live, pace } = table;
  if (!live.state || !alone(live.state) || table.undoing) return;
  const reason = why(live.state);
  if (reason) return note(reason);
  pace.skip();
  table.undoing = true;
  await live.act("takeback", { seat: live.state.takeback });
  table.undoing = false;
}
