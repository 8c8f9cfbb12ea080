// Messages of the house: put into words, and shown one event after another until the page is up to
// date.
import { random } from "./ask.js";
import { h, need } from "./dom.js";
import * as memory from "./memory.js";
import { alike, halfway } from "./motion.js";
import { episodesOf } from "./episodes.js";
import { keepInNotebook } from "./notebook.js";
import { note } from "./notices.js";
import { sound } from "./sound.js";
import { breathBefore, stepOf, tempo } from "./speed.js";
import { called, heldCards, nameField, spoken } from "./voice.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./pace.js").Beat} Beat */
/** @typedef {import("./episodes.js").Episode} Episode */
/** @typedef {import("./speed.js").Tempo} Tempo */
/** @typedef {import("./table.js").Table} Table */

const MOST_SPOKEN_EVENTS = 6; // events that are announced at once; of more, the last ones
const KEPT_ANNOUNCEMENTS = 20; // announcements that stay for screen readers

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
  if (table.token && seats.length && !table.kept) {
    memory.keepSeat(table.id, { token: table.token, seats, game: table.game, at: Date.now() });
    keepInNotebook(table.id, table.token).then((kept) => { table.kept = kept; });
  } else if (table.token && !seats.length) memory.forgetSeat(table.id);
  if (!first) {
    story.forget();
    need("announcements").replaceChildren(); // words for one seat are not for another one at this screen
  }
  // The commitment is here: now this browser gives its own value to the fair random, and sits down.
  for (const seat of seats) {
    if (state.seats[seat].awaited) live.act("sit", { seat, value: random(16) });
  }
  table.ended = first && state.outcome !== null;
  table.draw(state, [], { still: true });
  if (state.you.as !== null) tellHand(state);
  table.recent.forget();
  if (first) board.showMost(state.outcome?.cells.length ? state.outcome.cells : input.next);
  if (first && seats.length && state.clock?.kind === "days") {
    import("./leaving.js").then(({ wireLeaving }) => wireLeaving(table)).catch(() => {}); // nothing is asked
  }
  if (seats.length) {
    need("phrases").toggleAttribute("open", state.phrases);
    need("my-name").replaceWith(nameField("my-name", state.seats[table.seat].name, state.phrases));
  }
}

/**
 * New events: each is shown in its turn, step by step; only then are sounds played, moves unlocked,
 * and the end announced.
 * @param {Table} table
 * @param {State} state
 * @param {LogItem[]} items
 */
export function follow(table, state, items) {
  // The shown table is no longer the present one: nothing can be chosen in it.
  if (!table.isMoment(state)) {
    table.input.set(null);
    table.main.classList.remove("mine");
  }
  const times = tempo(state);
  const { seats } = state.you;
  /** @param {LogItem} item */
  const atOnce = (item) => seats.includes(item.seat ?? -1) || times.open;
  const seen = episodesOf(items, atOnce);
  // The reader's own move is shown at once, and so are the next choices, unless it ends the game.
  const last = seen.at(-1);
  const rest = last && !last.look && !state.outcome && atOnce(last.item) ? last.changes : [];
  if (rest.length) seen.pop();
  /** The table as it was shown last, or would have been without hurry. @type {Scene | null} */
  let before = null;
  /** @type {Beat[]} */
  const beats = [];
  for (const episode of seen) {
    if (episode.begins) beats.push((hurried) => (hurried ? 0 : breathe(table, times, episode)));
    beats.push((hurried) => {
      before ??= table.board.given;
      const scene = episode === last && !episode.look ? state.scene : sceneOf(before, state, episode);
      const lasts = show(table, times, episode, { before, scene, hurried });
      before = scene;
      return lasts;
    });
  }
  beats.push((hurried) => arrive(table, state, items, { changes: rest, still: hurried, step: times.step }));
  table.pace.add(beats);
  if (document.hidden || table.page) table.pace.skip();
}

/**
 * A pause before another player's move, counted from the end of the last episode.
 * @param {Table} table
 * @param {Tempo} times
 * @param {Episode} episode
 */
function breathe({ pace, recent }, times, episode) {
  const ms = pace.left(breathBefore(times, episode.begins, recent.moves));
  recent.moves += 1;
  return ms;
}

/**
 * The table at the end of an episode.
 * @param {Scene | null} before
 * @param {State} state
 * @param {Episode} episode
 */
function sceneOf(before, state, { changes, goal, later, look }) {
  const scene = { ...state.scene, ...goal };
  return look || !before ? scene : halfway(before, scene, changes, later);
}

/**
 * Let people see a part of what happened. What does not change how the table looks takes no time; in
 * a hurry it is only kept, to be seen again.
 * @param {Table} table
 * @param {Tempo} times
 * @param {Episode} episode
 * @param {{before: Scene | null, scene: Scene, hurried: boolean}} how
 */
function show({ board, recent, state }, times, { changes, item, look, of }, { before, scene, hurried }) {
  const sentence = changes.flatMap((change) => change.sentence ?? []).join(" ") || item.sentence;
  if (!look && before && alike(before, scene)) return 0;
  const step = stepOf(times, of);
  recent.add(before, { scene, changes, step, look, sentence });
  if (!look && state?.you.seats.includes(item.seat ?? -1)) recent.begin(scene);
  if (hurried) return 0;
  const lasts = board.draw(scene, { changes, step });
  board.showMost(look ? Object.keys(scene.highlights) : touched(changes));
  if (look) need("status").textContent = sentence;
  return Math.max(lasts, step) + (look ? times.look : 0);
}

/**
 * Announce events, by voice and by sound.
 * @param {State} state
 * @param {LogItem[]} items
 */
function tell(state, items) {
  const { you } = state;
  const announcements = need("announcements");
  for (const item of items.filter((one) => one.sentence).slice(-MOST_SPOKEN_EVENTS)) announcements.append(h("p", {}, spoken(state, item)));
  if (items.some((item) => item.do === "draw")) tellHand(state);
  while (announcements.children.length > KEPT_ANNOUNCEMENTS) announcements.firstChild?.remove();
  /** @param {LogItem} item */
  const mine = (item) => you.seats.includes(item.seat ?? -1);
  const said = items.findLast((item) => (item.do === "say" || item.do === "phrase") && !mine(item));
  if (said) {
    sound("word");
    if (!need("pane-talk").checkVisibility()) {
      for (const id of ["tab-talk", "menu"]) need(id).classList.add("busy");
      note(`${called(state.seats[said.seat ?? 0])} : ${said.text ?? said.label}`);
    }
  }
  if (items.some((item) => item.do === "begin" || (item.do === "sit" && !mine(item)))) sound("word");
  const answered = items.findLast((item) => item.do === "answer" && !item.yes && !mine(item));
  if (answered) note(answered.sentence);
  const moved = items.filter((item) => item.do === "play");
  if (moved.length) sound(moved.every(mine) ? "own" : "other");
}

/** Say which cards the reader holds, if any. @param {State} state */
export function tellHand({ scene }) {
  const cards = heldCards(scene);
  if (cards) need("announcements").append(h("p", {}, cards));
}

/**
 * Show the present state, with the next choices.
 * @param {Table} table
 * @param {State} state
 * @param {LogItem[]} items
 * @param {{changes: Change[], still: boolean, step: number}} how  what has not been shown yet, and the
 *   time for it
 */
function arrive(table, state, items, { changes, still, step }) {
  const { board, input, recent } = table;
  const before = board.given;
  tell(state, items);
  const lasts = table.draw(state, changes, { still, step });
  if (state.outcome && !table.ended) {
    sound("end");
    import("./celebrate.js").then(({ celebrate }) => celebrate(state), () => {}); // sparks may fail
  }
  table.ended = state.outcome !== null;
  const last = items.findLast((item) => item.changes?.length || item.do === "takeback");
  if (last?.do === "takeback" || state.you.seats.includes(last?.seat ?? -1)) recent.begin(state.scene);
  else if (last && changes.length) recent.add(before, { scene: state.scene, changes, step, look: false, sentence: last.sentence });
  if (table.page) return 0;
  const all = items.flatMap((item) => item.changes ?? []);
  const shown = state.outcome?.cells.length ? state.outcome.cells : touched(all);
  board.showMost(input.next.some((atom) => input.isPlace(atom)) ? input.next : shown);
  return changes.length && !still ? Math.max(lasts, step) : lasts;
}

/** The places that changes touch. @param {Change[]} changes */
function touched(changes) {
  return changes.flatMap((change) => [change.at, change.to].flatMap((place) => place ?? []));
}
