// Divides the events of a message into episodes, which are shown one after another.
import { steps } from "./motion.js";

/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").LogItem} LogItem */
/**
 * One thing to see: what changes, and what changes `later`, before the table is as it is in `goal`: a
 * scene at which people shall look (then what differs from the last scene), or null for the table as it
 * is now. `look` says that this is that episode. `begins`, at the first thing to see of another
 * player's move, says how many steps the move has, else 0; `of`, how many things are seen of this move.
 * @typedef {{
 *   item: LogItem,
 *   changes: Change[],
 *   later: Change[],
 *   goal: Record<string, any> | null,
 *   look: boolean,
 *   begins: number,
 *   of: number,
 * }} Episode
 */

/**
 * Another player's move is shown step by step; the reader's own move, and chance outcomes, at once.
 * @param {LogItem[]} items
 * @param {(item: LogItem) => boolean} atOnce
 * @returns {Episode[]}
 */
export function episodesOf(items, atOnce) {
  /** @type {Episode[]} */
  const found = [];
  for (const item of items) {
    const seen = shotsOf(item, item.do === "draw" || atOnce(item));
    const last = found.at(-1);
    if (item.do === "draw" && last?.item.do === "draw" && !last.look && seen.length === 1) {
      last.changes.push(...seen[0].changes); // a deal is seen as a whole
    } else found.push(...seen);
  }
  for (let index = found.length - 2; index >= 0; index -= 1) {
    const [episode, next] = [found[index], found[index + 1]];
    if (episode.look) continue;
    episode.later = [...next.changes, ...next.later];
    episode.goal = next.goal;
  }
  return found;
}

/**
 * @param {LogItem} item
 * @param {boolean} whole  whether it is seen at once, but for what people shall look at
 * @returns {Episode[]}
 */
function shotsOf(item, whole) {
  const { changes = [], pauses = [] } = item;
  /** @type {Episode[]} */
  const seen = [];
  let done = 0;
  for (const { after, scene } of [...pauses, { after: changes.length, scene: null }]) {
    const part = changes.slice(done, after);
    const groups = whole && part.length ? [part] : steps(part);
    if (scene && !groups.length) groups.push([]);
    for (const group of groups) {
      seen.push({ item, changes: group, later: [], goal: null, look: false, begins: 0, of: 1 });
    }
    if (scene) Object.assign(seen[seen.length - 1], { goal: scene, look: true });
    done = after;
  }
  for (const episode of seen) episode.of = seen.length;
  if (seen.length && !whole) seen[0].begins = seen.length;
  return seen;
}
