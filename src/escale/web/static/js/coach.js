// A coach for beginners: it asks before a blunder, explains it afterwards and offers to take it
// back, and sometimes points at a chance. The menu switches it off.
import { Advice } from "./advice.js";
import { fetchHint } from "./hint.js";
import { undo } from "./undo.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").CoachRemark} CoachRemark */
/** @typedef {import("./table.js").Table} Table */

const ANSWER_MS = 2500; // milliseconds after which a move is sent even without the coach's answer
const MOVES_BETWEEN_CHANCES = 4; // own moves between two chances that are pointed at
const QUIET_PLIES = 6; // so long a beginner is left alone, unless a move is proven to lose

export class Coach {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    /** The blunder that was made all the same, and when. @type {{remark: CoachRemark, moment: string} | null} */
    this.blunder = null;
    /** The last moment in which I could choose. */
    this.moment = "";
    /** My moves since a chance was last pointed at. */
    this.moves = MOVES_BETWEEN_CHANCES - 1;
  }

  /**
   * Whether to send a move; asks the player first if it is a blunder.
   * @param {string} move
   * @returns {Promise<boolean>}
   */
  async allows(move) {
    const { table } = this;
    const { moment } = table;
    const late = AbortSignal.timeout(ANSWER_MS);
    /** @type {CoachRemark | null} */
    const remark = await table.live.ask("/judge", { as: table.seat, move }, late).catch(() => null);
    if (table.moment !== moment) return false;
    if (!remark?.warns || table.coach !== this || (this.early && !remark.near)) return true;
    const plays = await this.ask(remark);
    if (table.moment !== moment) return false;
    this.blunder = plays ? { remark, moment } : null;
    if (!plays) table.unlock();
    return plays;
  }

  /** Whether the game has just begun. */
  get early() {
    return (this.table.state?.ply ?? 0) < QUIET_PLIES;
  }

  /**
   * "Are you sure?"
   * @param {CoachRemark} remark
   * @returns {Promise<boolean>}
   */
  ask({ look, question }) {
    return new Promise((answered) => {
      const advice = Advice.of(this.table);
      advice.show(question, {
        moves: [at(look)],
        answers: [
          { words: say("coach-another"), act: () => answered(false), look: "main" },
          { words: say("coach-anyway"), act: () => answered(true) },
        ],
        gone: () => answered(false),
        bubble: true,
      });
      advice.focus();
    });
  }

  /** Look at the table, which may have changed. */
  follow() {
    const { table } = this;
    const { moment, state } = table;
    if (!state || !table.newest || table.page || moment === this.moment) return;
    if (state.outcome) return this.tell(false);
    if (!state.choices) return;
    this.moment = moment;
    this.moves += 1;
    if (this.blunder && this.blunder.moment !== moment) this.tell(true);
    else if (this.moves >= MOVES_BETWEEN_CHANCES && !this.early) void this.seek(moment);
  }

  /** Explain a blunder. @param {boolean} goes whether the game goes on */
  tell(goes) {
    const { table } = this;
    const blunder = this.blunder;
    this.blunder = null;
    if (!blunder) return;
    Advice.of(table).show(blunder.remark.story, {
      bubble: true,
      answers: goes
        ? [
          { words: say("coach-undo"), act: () => void undo(table), look: "main" },
          { words: say("coach-go-on"), act: () => {} },
        ]
        : [],
    });
  }

  /** Point at a chance, if there is one. @param {string} moment */
  async seek(moment) {
    const { table } = this;
    const facts = await fetchHint(table).catch(() => null);
    if (!facts?.chance || table.moment !== moment || table.coach !== this || table.weighed || table.sent || table.page) return;
    if (table.main.classList.contains("advised")) return; // more help was requested already
    this.moves = 0;
    Advice.of(table).show(facts.nudge, { moves: [at(facts.look)], answers: [{ words: say("ok"), act: () => {} }], passing: true, bubble: true });
  }
}

/** Something to look at, pointed out like a move. @param {string} atom */
function at(atom) {
  return { text: atom, label: atom, atoms: [atom], ways: [] };
}
