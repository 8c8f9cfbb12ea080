// What the house sends: told, and shown one thing after another until it is how things stand now.
import { random } from "./ask.js";
import { celebrate } from "./celebrate.js";
import { h, need } from "./dom.js";
import * as memory from "./memory.js";
import { sound } from "./sound.js";
import { face } from "./turning.js";
import { spoken } from "./voice.js";

/** @typedef {import("./live.js").State} State */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./pace.js").Beat} Beat */
/** @typedef {import("./table.js").Table} Table */

const SPOKEN = 6; // events that are told at once; of more, the last ones
const KEPT = 20; // told events that stay for screen readers
const LOOK = 1500; // milliseconds to look at a trick, or at something else that is about to go

/**
 * The whole state: at the beginning, or as another seat sees it.
 * @param {Table} table
 * @param {State} state
 */
export function begin(table, state) {
  const { board, input, live, story } = table;
  const { seats } = state.you;
  table.pace.skip();
  const first = !story.shown;
  if (table.token && seats.length) {
    memory.keepSeat(table.id, { token: table.token, seats, game: table.game, at: Date.now() });
  } else if (table.token) memory.forgetSeat(table.id);
  if (!first) {
    story.forget();
    need("told").replaceChildren(); // what one seat was told, another one at this screen is not
  }
  board.flipped = memory.turned(table.id) ?? board.flipped;
  // The commitment is here: now this browser gives its own value to the fair random, and sits down.
  for (const seat of seats) {
    if (state.seats[seat].awaited) live.act("sit", { seat, value: random(16) });
  }
  table.ended = first && state.outcome !== null;
  table.draw(state, [], true);
  if (table.faced !== seats.join()) face(table, state);
  table.faced = seats.join();
  if (first) board.showMost(state.outcome?.cells.length ? state.outcome.cells : input.next);
  if (seats.length) /** @type {HTMLInputElement} */ (need("my-name")).value = state.seats[table.seat].name;
}

/**
 * Something happened: it is shown when its turn has come.
 * @param {Table} table
 * @param {State} state
 * @param {LogItem[]} items
 */
export function follow(table, state, items) {
  // What is shown is no longer how things stand: nothing can be chosen in it.
  if (!table.isMoment(state)) {
    table.input.set(null);
    table.main.classList.remove("mine");
  }
  /** @type {Beat[]} */
  const beats = [() => tell(state, items)];
  /** @type {Change[]} */
  let changes = [];
  for (const item of items) {
    let done = 0;
    for (const { after, scene } of item.looks ?? []) {
      const first = [...changes, ...(item.changes ?? []).slice(done, after)];
      beats.push((hurried) => (hurried ? 0 : pause(table, { ...state.scene, ...scene }, first, item.told)));
      changes = [];
      done = after;
    }
    changes.push(...(item.changes ?? []).slice(done));
  }
  const last = changes;
  beats.push((hurried) => arrive(table, state, last, hurried));
  table.pace.add(beats);
  if (document.hidden || table.page) table.pace.skip();
}

/**
 * Say what happened, by voice and by sound.
 * @param {State} state
 * @param {LogItem[]} items
 */
function tell(state, items) {
  const { you } = state;
  const told = need("told");
  for (const item of items.filter((one) => one.told).slice(-SPOKEN)) told.append(h("p", {}, spoken(state, item)));
  while (told.children.length > KEPT) told.firstChild?.remove();
  /** @param {LogItem} item */
  const mine = (item) => you.seats.includes(item.seat ?? -1);
  if (items.some((item) => item.do === "say" && !mine(item))) {
    sound("word");
    if (need("pane-talk").hidden) need("tab-talk").classList.add("busy");
  }
  const moved = items.filter((item) => item.do === "play");
  if (moved.length) sound(moved.every(mine) ? "own" : "other");
  return 0;
}

/**
 * Let people look at the table in the middle of a move, before it goes on.
 * @param {Table} table
 * @param {Scene} scene
 * @param {Change[]} changes
 * @param {string} told
 */
function pause({ board, page }, scene, changes, told) {
  if (page) return 0;
  const lasts = board.draw(scene, { changes });
  board.showMost(Object.keys(scene.highlights));
  need("status").textContent = told;
  return lasts + LOOK;
}

/**
 * Show how things stand now.
 * @param {Table} table
 * @param {State} state
 * @param {Change[]} changes
 * @param {boolean} hurried
 */
function arrive(table, state, changes, hurried) {
  const { board, input } = table;
  const lasts = table.draw(state, changes, hurried);
  if (state.outcome && !table.ended) {
    sound("end");
    celebrate(state);
  }
  table.ended = state.outcome !== null;
  if (table.page) return 0;
  const touched = changes.flatMap((change) => [change.at, change.to].flatMap((place) => place ?? []));
  const shown = state.outcome?.cells.length ? state.outcome.cells : touched;
  board.showMost(input.next.some((atom) => input.isPlace(atom)) ? input.next : shown);
  return lasts;
}
