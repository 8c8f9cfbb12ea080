// The actions of a player at a table, and the house's answers if it refuses one.
import { headers, random, request } from "./ask.js";
import { h, need } from "./dom.js";
import * as memory from "./memory.js";
import { note } from "./notices.js";
import { sound } from "./sound.js";
import { drawStatus } from "./status.js";
import { unpack } from "./trie.js";
import { say } from "./words.js";

/** @typedef {import("./trie.js").Branch} Branch */
/** @typedef {import("./types.js").Refusal} Refusal */
/** @typedef {import("./table.js").Table} Table */

// ---- moves ----

/**
 * @param {Table} table
 * @param {string} move
 */
export async function play(table, move) {
  forget(table);
  if (table.coach) {
    table.weighed = true;
    const allowed = await table.coach.allows(move);
    table.weighed = false;
    if (!allowed) return;
  }
  table.sent = true;
  table.pace.skip();
  if (!table.sent) return; // an event that had not been shown yet has changed the table
  drawStatus(table);
  await table.live.act("play", { seat: table.seat, move, n: table.state?.n });
}

/**
 * Request choices that were too many to be sent; null when they cannot be had.
 * @param {Table} table
 * @param {string[]} atoms
 * @returns {Promise<Branch | null>}
 */
export async function fetchChoices(table, atoms) {
  const { live } = table;
  const after = atoms.map((atom) => `&after=${encodeURIComponent(atom)}`).join("");
  const found = await live.ask(`/choices?${live.viewerQuery}${after}`).catch(() => null);
  if (!found) note(say("failed"));
  const { choices, ways } = unpack(found?.choices ?? null, atoms);
  if (table.state) Object.assign(table.state.ways, ways);
  return choices;
}

/**
 * Request what has become of the pieces that some atoms jump; nothing where it cannot be had.
 * @param {Table} table
 * @param {string[]} atoms
 * @returns {Promise<import("./types.js").Became[]>}
 */
export async function fetchJumped({ live }, atoms) {
  const after = atoms.map((atom) => `&after=${encodeURIComponent(atom)}`).join("");
  return live.ask(`/choices?${live.viewerQuery}${after}`).then((found) => found.became, () => []);
}

// ---- refusals ----

/**
 * Request the reason why some atoms are no move.
 * @param {Table} table
 * @param {string[]} atoms
 */
export async function explain(table, atoms) {
  if (table.page || !table.state?.choices) return;
  forget(table);
  const { signal } = (table.question = new AbortController());
  try {
    const why = await table.live.ask("/explain", { as: table.seat, atoms }, signal);
    if (!signal.aborted) refuse(table, why, atoms);
  } catch (refusal) {
    if (!signal.aborted && !(refusal instanceof TypeError)) refuse(table, /** @type {Refusal} */ (refusal), atoms);
  }
}

/** Drop the last question and its answer. @param {Table} table */
export function forget({ choosing, question }) {
  question.abort();
  choosing.refuse(null);
}

/**
 * @param {Table} table
 * @param {Refusal} refusal
 * @param {string[]} [atoms]  what was tried
 */
function refuse({ choosing, input }, refusal, atoms = []) {
  sound("refused");
  choosing.refuse(refusal);
  input.refuse(refusal.cells ?? [], atoms);
}

/**
 * The house refused a request.
 * @param {Table} table
 * @param {Refusal} refusal
 * @param {string} what
 */
export function refused(table, refusal, what) {
  table.pace.skip();
  if (what === "play") table.sent = false;
  if (table.state) table.draw(table.state, [], { still: true });
  if (what === "play") refuse(table, refusal);
  else table.choosing.refuse(refusal);
}

// ---- besides moving ----

/**
 * @param {Table} table
 * @param {"draw" | "takeback" | "rematch"} what
 */
export function offer(table, what) {
  const { live, seat } = table;
  if (what === "rematch") table.again = true;
  live.act("offer", { seat, what, ...(what === "rematch" && { value: random(16) }) });
}

/** Remind those whose turn it is, in a friendly way. @param {import("./table.js").Table} table */
export function nudge(table) {
  const seat = table.state?.you.seats.find((one) => table.state?.nudge.includes(one));
  if (seat === undefined) return;
  table.live.act("nudge", { seat });
  note(say("nudged"));
}

/**
 * @param {Table} table
 * @param {number} seat
 * @param {string} name
 */
export async function sit(table, seat, name) {
  const { choosing, game, id, live, wish } = table;
  try {
    const { token } = await live.ask(`/seats/${seat}`, { name, value: random(16), id: wish });
    table.token = token;
    table.kept = false;
    memory.keepSeat(id, { token, seats: [seat], game, at: Date.now() });
    live.reopen(token);
  } catch (refusal) {
    if (refusal instanceof TypeError) note(say("failed"));
    else choosing.refuse(/** @type {Refusal} */ (refusal));
  }
}

/** Copy a link, or show it where that is not allowed. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    note(say("copied"));
  } catch {
    const field = /** @type {HTMLInputElement} */ (need("link"));
    field.hidden = false;
    field.value = text;
    field.select();
    note(say("copy-by-hand"));
  }
}

/** Show what of the table may be shared, and how. @param {Table} table */
export async function share(table) {
  const module = await import("./share.js").catch(() => note(say("failed")));
  if (module) module.shareTable(table);
}

/** Save the transcript of the game as a file. @param {Table} table */
export async function download({ game, id, live }) {
  const response = await request(`${live.path}/transcript`, { headers: headers(live.token) }).catch(() => null);
  if (!response?.ok) return note(say("failed"));
  const link = h("a", { href: URL.createObjectURL(await response.blob()), download: `${game}-${id}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Report the table to the host of the house. @param {Table} table */
export async function report(table) {
  try {
    await table.live.ask("/report", {});
    note(say("reported"));
  } catch (refusal) {
    note(/** @type {{message?: string}} */ (refusal).message ?? say("failed"));
  }
}
