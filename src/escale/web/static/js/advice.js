// Advice at a table: a sentence below the prompt, read aloud as well, moves pointed out on the
// board, and buttons to answer with. It stays until the situation changes.
import { h, need } from "./dom.js";

/** @typedef {import("./types.js").ShownMove} ShownMove */
/** @typedef {import("./table.js").Table} Table */
/** An answer: its words, what it does, and how its button looks. @typedef {{words: string, act: () => void, look?: "main" | "plain-button"}} Answer */

export class Advice {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.place = need("advice");
    /** Called when it is taken away without an answer. @type {() => void} */
    this.gone = () => {};
    /** Whether it goes as soon as a move is begun. */
    this.passing = false;
  }

  /** The one of this table. @param {Table} table */
  static of(table) {
    table.advice ??= new Advice(table);
    return table.advice;
  }

  /**
   * Show advice, in place of the last one.
   * @param {string} text
   * @param {{moves?: ShownMove[], answers?: Answer[], gone?: () => void, passing?: boolean, bubble?: boolean}} [more]
   *   whether it goes as soon as a move is begun, and whether the coach says it
   */
  show(text, { moves = [], answers = [], gone = () => {}, passing = false, bubble = false } = {}) {
    this.clear();
    this.gone = gone;
    this.passing = passing;
    const words = h("p", { id: "advice-words" }, text);
    this.place.replaceChildren(words);
    if (answers.length) {
      this.place.append(h("p", { class: "row" }, ...answers.map(({ words: label, act, look = "" }) => h("button", {
        type: "button", class: look, "aria-describedby": "advice-words", onclick: () => this.answer(act),
      }, label))));
    }
    this.place.classList.toggle("bubble", bubble);
    this.place.hidden = false;
    this.table.main.classList.add("advised");
    this.point(moves);
    need("announcements").append(h("p", {}, text));
  }

  /** Point moves out, on the board and among the buttons. @param {ShownMove[]} moves */
  point(moves) {
    const { board, choosing } = this.table;
    board.pointOut(moves);
    board.showMost(moves.flatMap((move) => [...move.ways.flat(), ...move.atoms]));
    choosing.draw();
  }

  /** Put the keyboard on the first answer. */
  focus() {
    this.place.querySelector("button")?.focus();
  }

  /** @param {() => void} act */
  answer(act) {
    const had = this.place.contains(document.activeElement);
    this.gone = () => {};
    this.clear();
    act();
    if (had) this.table.board.host.focus();
  }

  /** Take the advice away. */
  clear() {
    const { gone } = this;
    if (this.place.hidden) return;
    this.gone = () => {};
    this.place.hidden = true;
    this.place.replaceChildren();
    this.table.main.classList.remove("advised");
    this.point([]);
    gone();
  }
}
