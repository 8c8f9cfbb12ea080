// The question to the player at a node of the tree of legal moves: the first prompt of the game's
// list that fits, as game/prompts.py finds it; and the voice that asks it once, after what has
// happened.
import { h, need } from "./dom.js";
import { block, fill, formsOf, say } from "./words.js";

/** @typedef {import("./input.js").Input} Input */
/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").SituationState} Situation */
/**
 * The page's block `game-prompts`: each prompt as its name, situation, path and what may follow; atoms of
 * one kind by groups; sentences, those that name few atoms under `NAME.few`.
 * @typedef {{
 *   prompts: [string, string, string, string][], groups: Record<string, string[]>,
 *   sentences: Record<string, string>, few: number, either: string,
 * }} Prompts
 */

/** @type {Prompts} */
const ours = block("game-prompts");

/**
 * What kind of thing an atom is: one of a group, a cell with a piece or an empty one, or itself.
 * @param {Record<string, string[]>} groups
 * @param {Scene} scene
 * @param {string} atom
 */
function kindOf(groups, scene, atom) {
  const group = Object.keys(groups).find((name) => groups[name].includes(atom));
  if (group !== undefined) return group;
  if (!scene.cells.some((cell) => cell.id === atom)) return atom;
  return scene.pieces.some((piece) => piece.at === atom) ? "piece" : "empty";
}

/**
 * Whether the kinds of what was chosen are those of a prompt's path; a star stands for any number.
 * @param {string} pattern
 * @param {string[]} kinds
 */
function along(pattern, kinds) {
  const words = pattern.split(" ").filter(Boolean);
  const star = words.indexOf("*");
  if (star < 0) return words.join() === kinds.join();
  const tail = words.slice(star + 1);
  return kinds.length >= words.length - 1
    && kinds.slice(0, star).join() === words.slice(0, star).join()
    && kinds.slice(kinds.length - tail.length).join() === tail.join();
}

/**
 * Whether the kinds of what may follow are those that a prompt asks for; some may be missing.
 * @param {string} pattern
 * @param {Set<string>} kinds
 */
function offers(pattern, kinds) {
  const words = pattern.split(" ");
  const known = words.map((word) => word.replace(/\?$/, ""));
  return [...kinds].every((kind) => known.includes(kind))
    && words.every((word) => word.endsWith("?") || kinds.has(word));
}

/**
 * The sentence that asks what shall follow some atoms; empty where the game has none.
 * @param {Scene} scene
 * @param {string[]} path
 * @param {string[]} next
 * @param {Situation | null} situation
 * @param {Prompts} [list]
 */
export function question(scene, path, next, situation, list = ours) {
  const { few, groups = {}, prompts = [], sentences } = list;
  const chosen = path.map((atom) => kindOf(groups, scene, atom));
  const kinds = new Set(next.map((atom) => kindOf(groups, scene, atom)));
  const found = prompts.find(([, when, before, after]) => (
    (!when || when === situation?.name) && offers(after, kinds) && along(before, chosen)));
  if (!found) return "";
  const short = next.length <= few && sentences[`${found[0]}.few`];
  const words = next.map((atom) => formsOf(atom)[0]);
  const last = words.pop() ?? "";
  return fill(short || sentences[found[0]], {
    ...situation?.values,
    first: formsOf(path[0] ?? "")[0],
    last: formsOf(path.at(-1) ?? "")[0],
    next: words.length ? fill(list.either, { others: words.join(", "), last }) : last,
  });
}

/**
 * What is asked of me now.
 * @param {Input} input
 * @param {Situation | null} situation
 */
export function ask({ board, next, path, ready }, situation) {
  if (ready !== null) return say("asked-to-confirm");
  return board.scene ? question(board.scene, path, next, situation) : "";
}

/**
 * Announce the prompt, or the end, once: below the events, which have been announced.
 * @param {Table} table
 * @param {string} words  what the page shows
 */
export function listen(table, words) {
  const { input, moment, page, state } = table;
  if (!state || page) return;
  const outcome = /** @type {{cells?: string[]} | null} */ (state.outcome);
  if (!outcome && !input.root) return;
  const where = outcome ? "end" : `${moment} ${input.path.join(" ")} ${input.ready ?? ""}`;
  if (where === table.asked) return;
  table.asked = where;
  const cells = outcome?.cells?.length ? ` ${say("end-cells", { cells: outcome.cells.join(", ") })}` : "";
  need("announcements").append(h("p", {}, words + cells));
}
