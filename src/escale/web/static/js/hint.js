// A hint: the best move as an arrow, and the reason for it in a sentence. Asked for again, it tells how
// the game will probably go on.
import { play } from "./actions.js";
import { Advice } from "./advice.js";
import { need } from "./dom.js";
import { note } from "./notices.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").HintFacts} HintFacts */
/** @typedef {import("./table.js").Table} Table */

/** The last hint, and its moment: showing it again costs nothing. @type {{moment: string, facts:
 * HintFacts, times: number} | null}
 */
let last = null;

/** @param {Table} table */
export async function hint(table) {
  const { moment } = table;
  if (last?.moment !== moment) {
    const button = need("hint");
    button.setAttribute("aria-busy", "true");
    const facts = await fetchHint(table).catch((refusal) => note(refusal.message && refusal.code ? refusal.message : say("failed")));
    button.removeAttribute("aria-busy");
    // A hint that comes after a move was made would take the coach's question away, and the move with it.
    if (!facts || table.moment !== moment || table.weighed || table.sent || table.page) return;
    last = { moment, facts, times: 0 };
  }
  const { facts, times } = last;
  last.times += 1;
  const more = times % 2 === 1 && facts.further;
  table.input.cancel();
  Advice.of(table).show(more ? `${facts.text} ${facts.further}` : facts.text, {
    moves: [facts.move],
    answers: [
      { words: say("hint-play"), act: () => playHinted(table, facts.move.text), look: "main" },
      { words: say("close"), act: () => {} },
    ],
    passing: true,
  });
}

/** @param {Table} table @param {string} move */
function playHinted(table, move) {
  table.input.set(null);
  void play(table, move);
}

/**
 * The house's move for the seat to move, and the reason.
 * @param {Table} table
 * @returns {Promise<HintFacts>}
 */
export function fetchHint({ live, seat }) {
  return live.ask("/hint", { as: seat });
}
