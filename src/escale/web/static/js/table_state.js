// The table as a page knows it: the state that the house sent, with all later changes.
import { join, merge } from "./state_of_play.js";
import { unpack } from "./trie.js";

/**
 * The table as the house told it, its scene and its choices put together, and when that was.
 * @typedef {Omit<import("./types.js").TableState, "scene" | "choices"> & {
 *   scene: import("./types.js").Scene, play: import("./types.js").StateOfPlay,
 *   choices: import("./trie.js").Branch | null, ways: Record<string, string>, heard: number,
 * }} State
 */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {"connecting" | "live" | "polling" | "lost"} Status */
/**
 * What the page does when something arrives.
 * @typedef {{
 *   state: (state: State) => void,
 *   events: (state: State, items: LogItem[]) => void,
 *   presence: (present: boolean[]) => void,
 *   refused: (refusal: import("./types.js").StaleRefusal, action: import("./types.js").Action) => void,
 *   status: (status: Status, reason?: string) => void,
 *   gone: () => void,
 * }} Listeners
 */

/**
 * The table after a message that has all of it.
 * @param {any} message
 * @param {State | null} state  as it was known
 * @param {number} heard  when the message came
 * @returns {State}
 */
export function wholeState(message, state, heard) {
  return { ...message, ...shown(message, state), heard };
}

/**
 * The table after a message with events and what changed of the state, key by key, and of its scene;
 * and those of the events that were not known, the pauses of which have become scenes.
 * @param {State} state  as it was known
 * @param {any} message
 * @param {number} heard  when the message came
 * @returns {{after: State, fresh: LogItem[]}}
 */
export function stateAfter(state, message, heard) {
  /** @type {LogItem[]} */
  const events = message.events;
  const known = new Set(state.log.map((item) => item.n));
  const log = message.state.log ?? [...state.log, ...events.filter((item) => !known.has(item.n))];
  const after = { ...state, ...message.state, ...shown(message.state, state), log, n: message.n, heard };
  const fresh = events.filter((item) => item.n > state.n);
  for (const pause of fresh.flatMap((item) => item.pauses ?? [])) {
    pause.scene = join(merge(after.play, /** @type {any} */ (pause.scene)));
  }
  return { after, fresh };
}

/**
 * What was sent of the scene and of the choices, put together.
 * @param {any} sent
 * @param {State | null} state
 * @returns {Pick<State, "scene" | "play" | "choices" | "ways">}
 */
function shown({ scene, choices }, state) {
  const chosen = choices === undefined && state ? state : unpack(choices ?? null);
  const play = scene?.board || !state ? scene : merge(state.play, scene ?? {});
  return { play, scene: scene || !state ? join(play) : state.scene, choices: chosen.choices, ways: chosen.ways };
}
