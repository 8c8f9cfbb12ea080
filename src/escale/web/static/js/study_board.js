// A board for people who learn or try something out, away from any table: it shows a position that
// the house has computed, lets the seat to move choose, explains why something is no move, and
// points moves out. The page itself handles the moves made: figures, lessons, puzzles, analysis.
import { ask } from "./ask.js";
import { Board } from "./board.js";
import { h } from "./dom.js";
import { Input } from "./input.js";
import { described } from "./pointed.js";
import { question } from "./prompt.js";
import { isKnown, join, learn } from "./state_of_play.js";
import { unpack } from "./trie.js";
import { lang, say } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").ShownMove} ShownMove */
/** @typedef {import("./types.js").StudyPosition} StudyPosition */
/** @typedef {import("./types.js").AttemptResult} AttemptResult */
/**
 * Where a line begins and which moves follow: what `POST /api/games/SLUG/study` takes.
 * @typedef {{
 *   position?: string | null, options?: Record<string, string>, seats?: number | null,
 *   line?: string[], draw?: boolean, open?: boolean, as?: number | null,
 * }} StudyQuestion
 */
/**
 * What the page does: `play` a legal move, show why something is `refused` (null: no longer), and
 * what is `asked` where one is in a move. It may `type` a letter that was pressed on the board, and
 * say what the keyboard is `at`; else the board's own label does.
 * @typedef {{
 *   play: (move: string, atoms: string[]) => void,
 *   refused?: (why: {text: string, rule?: string | null} | null) => void,
 *   asked?: (words: string) => void,
 *   type?: (letter: string) => void,
 *   at?: (words: string) => void,
 * }} Handlers
 */

/**
 * A position worked out by the house; its board is here when it is.
 * @param {string} slug
 * @param {StudyQuestion} [where]
 * @param {AbortSignal} [signal]  says when the answer is no longer wanted
 * @returns {Promise<StudyPosition>}
 */
export async function study(slug, where = {}, signal) {
  const position = await ask(`/api/games/${slug}/study`, { body: { ...where, lang }, signal });
  if (!isKnown(position.scene.board)) await learn(position.scene.board);
  return position;
}

export class StudyBoard {
  /**
   * @param {HTMLElement} host  what the board fills; it takes the keys
   * @param {string} slug
   * @param {HTMLElement} buttons  where what is no place on the board stands as buttons
   * @param {Handlers} handlers
   */
  constructor(host, slug, buttons, handlers) {
    this.host = host;
    this.slug = slug;
    this.buttons = buttons;
    this.handlers = handlers;
    /** What is shown; null before the first. @type {StudyPosition | null} */
    this.position = null;
    /** The moves that are pointed out, the best first. @type {ShownMove[]} */
    this.pointedOut = [];
    /** Where a position is set up: what choosing a cell does. @type {((cell: string) => void) | null} */
    this.put = null;
    /** What was asked about an attempt. */
    this.attempt = new AbortController();
    this.board = new Board(host, slug);
    this.input = new Input(this.board, {
      play: (move, atoms) => (this.put ?? this.handlers.play)(move, atoms),
      explain: (atoms) => void this.explain(atoms),
      forget: () => this.forget(),
      fetch: (atoms) => this.fetch(atoms),
      changed: () => this.changed(),
      confirms: () => false,
      point: (name, choice) => this.say(described(this.board.scene, name, choice, (atom) => this.label(atom))),
      type: (letter) => this.handlers.type?.(letter),
      become: (atoms) => this.put ? Promise.resolve([]) : this.ask(atoms).then((found) => found?.became ?? []),
    });
  }

  /** What people call an atom. @param {string} atom */
  label(atom) {
    return this.position?.labels[atom] ?? atom;
  }

  /** Where the board stands, as a question to the house. @returns {StudyQuestion} */
  get where() {
    return { position: this.position?.start ?? null, line: this.position?.line ?? [] };
  }

  /**
   * Show a position, and let the seat to move choose.
   * @param {StudyPosition} position
   * @param {{animate?: boolean, closed?: boolean}} [how]  whether what happened last is seen again;
   *   whether nothing can be chosen
   * @returns {Promise<number>}  how many milliseconds the eye needs to follow it
   */
  async show(position, { animate = false, closed = false } = {}) {
    this.position = position;
    this.put = null;
    if (!isKnown(position.scene.board)) await learn(position.scene.board);
    if (this.position !== position) return 0; // meanwhile another is wanted
    const scene = join(position.scene);
    if (!scene.panels.length && !this.host.closest(".stage")) this.host.style.aspectRatio = `${scene.width} / ${scene.height}`;
    const lasts = this.board.draw(scene, animate ? { changes: position.changes } : { still: true });
    this.pointOut([]);
    this.forget();
    const { choices, ways } = unpack(closed ? null : position.choices);
    this.input.set(choices, ways);
    this.board.showMost(this.input.next);
    return lasts;
  }

  /**
   * Let every cell be chosen, for setting a position up.
   * @param {Scene} scene
   * @param {(cell: string) => void} put
   */
  compose(scene, put) {
    this.put = put;
    this.position = null;
    this.board.draw(scene, { still: true });
    this.pointOut([]);
    this.buttons.replaceChildren();
    this.input.set(Object.fromEntries(scene.cells.map(({ id }) => [id, id])));
  }

  /** Let the seat to move choose again what it has just chosen. */
  async reopen() {
    if (this.position) await this.show(this.position);
  }

  /**
   * Point moves out, the best first, until another position is shown.
   * @param {ShownMove[]} moves
   */
  pointOut(moves) {
    this.pointedOut = moves;
    this.board.pointOut(moves);
    this.changed();
  }

  // ---- what Input asks for ----

  /** Show what may be chosen next, and say what is asked. */
  changed() {
    const { input, board, buttons, position } = this;
    if (!input || !position) return; // being made
    const asked = input.root && board.scene ? question(board.scene, input.path, input.next, position.situation) : "";
    this.handlers.asked?.(asked);
    const pointed = new Set(this.pointedOut[0]?.atoms);
    const had = buttons.contains(document.activeElement);
    buttons.replaceChildren(...input.next.filter((atom) => !input.isPlace(atom)).map((atom) => h("button", {
      type: "button", class: `choice${pointed.has(atom) ? " pointed" : ""}${atom === input.stop ? " main" : ""}`, "data-atom": atom,
      onclick: () => input.choose(atom),
    }, this.label(atom))));
    if (input.path.length) {
      buttons.append(h("button", { type: "button", class: "cancel", onclick: () => input.cancel() }, say("cancel")));
    }
    // A reader who uses the keyboard must keep a place on the page.
    if (had) (buttons.querySelector("button") ?? this.host).focus();
  }

  /** @param {string} words  what the keyboard is at */
  say(words) {
    if (this.handlers.at) this.handlers.at(words);
    else this.host.setAttribute("aria-label", words || say("board"));
  }

  /** What was asked or answered about an attempt is no longer of interest. */
  forget() {
    this.attempt.abort();
    this.handlers.refused?.(null);
  }

  /** Ask why some atoms are no move. @param {string[]} atoms */
  async explain(atoms) {
    this.forget();
    const { signal } = (this.attempt = new AbortController());
    /** @type {AttemptResult | null} */
    const verdict = await ask(`/api/games/${this.slug}/explain`, { body: { ...this.where, atoms, lang }, signal })
      .catch(() => null);
    if (signal.aborted) return;
    this.input.refuse(verdict?.cells ?? [], atoms);
    this.handlers.refused?.({ text: verdict?.text ?? say("failed"), rule: verdict?.rule });
  }

  /**
   * What follows some atoms; null where it cannot be had.
   * @param {string[]} atoms
   * @returns {Promise<import("./types.js").ChoiceFacts | null>}
   */
  ask(atoms) {
    return ask(`/api/games/${this.slug}/choices`, { body: { ...this.where, atoms, lang } }).catch(() => null);
  }

  /**
   * A branch of the tree of moves that was not sent.
   * @param {string[]} atoms
   */
  async fetch(atoms) {
    const found = await this.ask(atoms);
    if (!found) return null;
    const { choices, ways } = unpack(found.choices, atoms);
    Object.assign(this.input.ways, ways);
    if (this.position) Object.assign(this.position.labels, found.labels);
    return choices;
  }
}
