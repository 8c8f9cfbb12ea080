// A position set up by hand: pieces are put on cells as moves are made on a board, by finger or by
// keys. The rules decide what is possible: after every change the house reports faults.
import { ask } from "./ask.js";
import { h, need, s } from "./dom.js";
import { join } from "./state_of_play.js";
import { lang, say } from "./words.js";

/** @typedef {import("./study_board.js").StudyBoard} StudyBoard */
/** @typedef {import("./types.js").StudyPosition} StudyPosition */
/**
 * The page's block `analysis`: what there is in the box, and what else a position says.
 * @typedef {{
 *   slug: string, hides: boolean, seats: string[], fewest: number,
 *   supplies: {piece: string, name: string, symbol: string, most: number}[] | null,
 *   fields: {name: string, label: string, values: string[]}[],
 *   turns: {value: string, label: string}[], options: string[],
 * }} Facts
 */

/** Milliseconds after which a change is looked at: others may follow at once. */
const CHECK_MS = 150;

export class Editor {
  /**
   * @param {StudyBoard} board
   * @param {Facts} facts
   * @param {(position: StudyPosition | null) => void} done  with what was set up; null: nothing
   */
  constructor(board, facts, done) {
    this.board = board;
    this.facts = facts;
    /** The pieces, by the names of their cells. @type {Map<string, string>} */
    this.cells = new Map();
    /** What is put down; null takes away. @type {string | null} */
    this.piece = null;
    /** The position as the house has read it; null if it is impossible. @type {StudyPosition |
     * null}
     */
    this.possible = null;
    /** The position with which editing began. @type {StudyPosition | null} */
    this.from = null;
    this.open = false;
    this.question = new AbortController();
    this.status = need("editor-status");
    this.finish = /** @type {HTMLButtonElement} */ (need("editor-done"));
    this.turn = /** @type {HTMLSelectElement} */ (need("editor-turn"));
    this.finish.addEventListener("click", () => this.possible && done(this.possible));
    need("editor-cancel").addEventListener("click", () => done(null));
    need("editor-clear").addEventListener("click", () => {
      this.cells.clear();
      this.changed();
    });
    need("editor").addEventListener("change", () => this.changed());
    this.drawPalette();
  }

  /** Begin with the pieces of a position. @param {StudyPosition} position */
  begin(position) {
    this.open = true;
    this.from = position;
    this.cells.clear();
    const known = new Set(this.facts.supplies?.map(({ piece }) => piece));
    const cells = new Set(this.scene(position).cells.map(({ id }) => id));
    this.cells = new Map(join(position.scene).pieces
      .filter(({ at, name, extra }) => !extra && cells.has(at) && known.has(name))
      .map(({ at, name }) => [at, name]));
    const [, turn, , ...words] = position.position.split(" ");
    const said = new Map(words.map((word) => /** @type {[string, string]} */ (word.split("="))));
    this.turn.value = turn;
    for (const { name } of this.facts.fields) this.control(name).value = said.get(name) ?? "";
    this.options = Object.fromEntries(this.facts.options.filter((name) => said.has(name)).map((name) => [name, said.get(name)]));
    this.changed();
  }

  /**
   * The whole board of a position, with what has been put down.
   * @param {StudyPosition} position
   */
  scene({ scene: { board } }) {
    return join({ board, turn: null, highlights: {}, tallies: {}, pieces: [...this.cells] });
  }

  /** @param {string} name */
  control(name) {
    return /** @type {HTMLInputElement | HTMLSelectElement} */ (need(`editor-field-${name}`));
  }

  drawPalette() {
    const { slug } = this.facts;
    need("palette").replaceChildren(...[...this.facts.supplies ?? [], null].map((supply) => {
      const label = supply ? supply.name : say("an-erase");
      const drawing = s("svg", { viewBox: "-50 -50 100 100", class: "palette-piece", "aria-hidden": "true" });
      drawing.append(supply ? s("use", { href: `#${slug}-${supply.symbol}` }) : s("path", { d: "M-30-30 30 30M30-30-30 30", class: "erase" }));
      return h("label", { class: "palette-choice", title: label },
        h("input", { type: "radio", name: "palette", value: supply?.piece ?? "", checked: supply === this.facts.supplies?.[0],
          onchange: () => { this.piece = supply?.piece ?? null; } }),
        drawing, h("span", { class: "unseen" }, label), h("span", { class: "count", "data-piece": supply?.piece ?? "", "aria-hidden": "true" }));
    }));
    this.piece = this.facts.supplies?.[0]?.piece ?? null;
  }

  /** Put down on a cell what is chosen, or take it away. @param {string} cell */
  put(cell) {
    if (this.piece === null || this.cells.get(cell) === this.piece) this.cells.delete(cell);
    else this.cells.set(cell, this.piece);
    this.changed();
  }

  /** Show the pieces on the board, and ask the house whether the position is possible. */
  changed() {
    if (!this.from) return;
    this.board.compose(this.scene(this.from), (cell) => this.put(cell));
    for (const { piece, most } of this.facts.supplies ?? []) {
      const there = [...this.cells.values()].filter((one) => one === piece).length;
      const count = need("palette").querySelector(`[data-piece="${piece}"]`);
      if (count) count.textContent = `${there}/${most}`;
    }
    this.check();
  }

  /** Ask the house whether the position is possible, and show the reason if not. */
  async check() {
    this.question.abort();
    const { signal } = (this.question = new AbortController());
    this.finish.disabled = true;
    await new Promise((resolve) => { setTimeout(resolve, CHECK_MS); });
    if (signal.aborted) return;
    const fields = Object.fromEntries(this.facts.fields.map(({ name }) => [name, this.control(name).value.trim()]).filter(([, value]) => value));
    const body = { cells: Object.fromEntries(this.cells), turn: this.turn.value, fields, options: this.options ?? {}, lang };
    /** @type {StudyPosition | {message?: string} | null} */
    const found = await ask(`/api/games/${this.facts.slug}/compose`, { body, signal }).catch((refusal) => refusal);
    if (signal.aborted) return;
    const possible = found && "scene" in found;
    this.possible = possible ? /** @type {StudyPosition} */ (found) : null;
    this.finish.disabled = !possible;
    this.status.classList.toggle("no", !possible);
    const why = /** @type {{message?: string} | null} */ (found)?.message ?? say("failed");
    this.status.textContent = possible ? this.possible?.outcome?.text ?? say("an-possible") : why;
  }

  /** Nothing is set up any more. */
  end() {
    this.open = false;
    this.question.abort();
  }
}
