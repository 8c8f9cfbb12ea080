// Help at a table: whether it is allowed, its buttons, and the modules that give it. These are
// fetched on demand, so that a table stays light.
import { need, showIf } from "./dom.js";
import * as memory from "./memory.js";
import { note } from "./notices.js";
import { alone } from "./undo.js";
import { say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./table.js").Table} Table */

/** Whether hints are allowed here: there are no other people, or all have agreed. @param {State}
 * state
 */
function allowed(state) {
  return state.begun && !state.outcome && state.you.seats.length > 0 && (state.hints || alone(state));
}

/** Whether a coach is possible: the reader plays alone against the computer. @param {State} state */
function coachable(state) {
  return alone(state) && !state.outcome && state.seats.some(({ status }) => status === "computer");
}

/** @param {Table} table */
export function drawHelp(table) {
  const { state } = table;
  if (!state) return;
  const coached = coachable(state) && memory.coached(table.id);
  showIf("hint", allowed(state));
  need("hint").setAttribute("aria-disabled", String(!state.choices));
  showIf("coach", coachable(state));
  need("coach").setAttribute("aria-pressed", String(coached));
  if (coached) void coach(table);
  else table.coach = null;
}

/** Have the coach beside the table, and let it see how things stand. @param {Table} table */
async function coach(table) {
  const { Coach } = await import("./coach.js");
  if (!memory.coached(table.id)) return;
  table.coach ??= new Coach(table);
  table.coach.follow();
}

/** Have a coach from now on, or none. @param {Table} table */
export function toggleCoach(table) {
  const wanted = !memory.coached(table.id);
  memory.keepCoached(table.id, wanted);
  if (!wanted) table.advice?.clear();
  drawHelp(table);
  note(say(wanted ? "coach-on" : "coach-off"));
}

/** Ask for a hint; asked again, for more of it. @param {Table} table */
export async function hint(table) {
  const { page, state } = table;
  if (!state || !allowed(state)) return;
  if (!state.choices || page || table.sent) return note(say("hint-later"));
  (await import("./hint.js")).hint(table);
}
