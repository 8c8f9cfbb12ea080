// A move in the making, chosen along the tree of legal moves. Possible next atoms are highlighted;
// half a move can be given up; the house explains illegal attempts.
import { Keys } from "./keys.js";
import { takePointer } from "./pointer.js";
import { preview } from "./preview.js";
import { mainSpot, spots } from "./scene.js";
import { after, cellsFor, ending, forced, meant } from "./trie.js";

/** @typedef {import("./trie.js").Branch} Branch */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./types.js").Became} Became */
/**
 * What the page does: `play` a whole move, `explain` why something cannot be, `forget` the last
 * explanation, `fetch` a branch of the tree that was not sent, show what `changed`, say whether it
 * `confirms` moves before they are sent, tell what the keyboard is at and what it would choose there
 * (`point`), `type` a letter that was pressed on the board, and find out what has `become` of the
 * pieces that the chosen atoms jump.
 * @typedef {{
 *   play: (text: string, atoms: string[]) => void,
 *   explain: (atoms: string[]) => void,
 *   forget: () => void,
 *   fetch: (atoms: string[]) => Promise<Branch | null>,
 *   changed: () => void,
 *   confirms: () => boolean,
 *   point: (name: string | null, choice: string[]) => void,
 *   type: (letter: string) => void,
 *   become: (atoms: string[]) => Promise<Became[]>,
 * }} Handlers
 */

/** A step longer than this, in radii of a cell's room, goes over another cell. */
const LEAP = 3;

export class Input {
  /**
   * @param {Board} board
   * @param {Handlers} handlers
   */
  constructor(board, handlers) {
    this.board = board;
    this.handlers = handlers;
    /** The legal moves; null when there is nothing to choose. @type {Branch | null} */
    this.root = null;
    /** The atoms chosen so far. @type {string[]} */
    this.path = [];
    /** The whole move that waits to be confirmed. @type {string | null} */
    this.ready = null;
    /** Cells that a refusal lights. @type {string[]} */
    this.refused = [];
    /** What has become of the pieces that were jumped so far. @type {Became[]} */
    this.became = [];
    /** Where pieces go, by the text of the move, if its atoms do not tell. @type {Record<string, string>} */
    this.ways = {};
    /** What a finger, a mouse or the keyboard is at, which would be chosen. @type {string | null} */
    this.hovered = null;
    takePointer(this);
    new Keys(this);
  }

  /**
   * Take up a new tree of legal moves, or none.
   * @param {Branch | null} root
   * @param {Record<string, string>} [ways]  where pieces go, if the atoms of a move do not tell
   */
  set(root, ways = {}) {
    this.root = root;
    this.ways = ways;
    this.path = [];
    this.ready = null;
    this.refused = [];
    this.became = [];
    this.hovered = null;
    this.light();
  }

  /** The branch after the chosen atoms. @returns {Branch | null} */
  get node() {
    if (!this.root || this.ready !== null) return null;
    const node = after(this.root, this.path);
    return node && typeof node === "object" ? node : null;
  }

  /** @returns {string[]} */
  get next() {
    return this.node ? Object.keys(this.node) : [];
  }

  /** The cells that stand for something that may be chosen next. @returns {string[]} */
  get places() {
    const { next, path } = this;
    const { places } = this.board.scene ?? { places: {} };
    return [...new Set(next.flatMap((atom) => cellsFor(places, atom, path, next)))];
  }

  /**
   * The atoms that pointing at something chooses.
   * @param {string} name
   * @param {string[]} [path]  what was chosen before
   */
  meant(name, path = this.path) {
    const { board, root } = this;
    return root && board.scene ? meant(root, path, name, board.scene.places) : [];
  }

  /** Whether an atom is a place on the table, not a button. @param {string} atom */
  isPlace(atom) {
    return this.board.scene !== null && spots(this.board.scene, atom).length > 0;
  }

  /** Whether the choice is a single button, which is not pressed by mistake. */
  get isButton() {
    const { board: { scene }, path: [atom, ...more] } = this;
    const named = (/** @type {string | undefined} */ name) => name === atom;
    return !more.length && !scene?.cells.some(({ id }) => named(id)) && !scene?.pieces.some((piece) => named(piece.atom));
  }

  /** What ends a chain where it is: the button that leads to a whole move, if it is the only one. @returns {string | undefined} */
  get stop() {
    const { node, path } = this;
    const ends = node && path.length > 1 ? Object.keys(node).filter((atom) => !this.isPlace(atom)) : [];
    return ends.length === 1 && typeof node?.[ends[0]] === "string" ? ends[0] : undefined;
  }

  /** Show the present choice on the board. */
  light() {
    this.lightBoard();
    this.handlers.changed();
  }

  lightBoard() {
    const { became, next, path, places, refused } = this;
    this.board.light({ next, places, chosen: path, refused, ways: this.shownWays(this.hovered), became });
  }

  /** Show what the piece that goes has jumped so far: it is turned, or gone, at once. */
  async showJumped() {
    const { board: { room, scene }, path, root } = this;
    const [way] = this.shownWays(null).filter(({ sure }) => sure);
    const points = way && scene ? way.cells.flatMap((cell) => mainSpot(scene, cell) ?? []) : [];
    if (!points.some(({ x, y }, index) => index && Math.hypot(x - points[index - 1].x, y - points[index - 1].y) > LEAP * room)) return;
    const found = await this.handlers.become([...path]);
    if (this.root !== root || this.path.join() !== path.join()) return;
    this.became = found;
    this.lightBoard();
  }

  /**
   * The ways of the pieces if something were chosen, or as far as they are decided.
   * @param {string | null} name
   */
  shownWays(name) {
    const { board, path, root, ways } = this;
    const chosen = name === null ? [] : this.meant(name);
    return board.scene ? preview(root, [...path, ...chosen], ways, board.scene) : [];
  }

  /**
   * Something is pointed at, or nothing: show where pieces would go if it were chosen.
   * @param {string[]} names  what is there, uppermost first
   */
  hover(names) {
    const { next, places } = this;
    const name = names.find((one) => next.includes(one)) ?? names.find((one) => places.includes(one)) ?? null;
    if (name === this.hovered) return;
    this.hovered = name;
    this.lightBoard();
  }

  /**
   * Choose an atom, or several that follow each other.
   * @param {...string} atoms
   */
  async choose(...atoms) {
    this.refused = [];
    this.handlers.forget();
    for (const atom of atoms) {
      const { node } = this;
      if (!node || !Object.hasOwn(node, atom)) return;
      if (node[atom] === null) {
        const branch = await this.handlers.fetch([...this.path, atom]);
        if (this.node !== node) return; // meanwhile the table or the choice has moved on
        if (!branch) return this.light(); // the branch could not be had: the choice stays
        node[atom] = branch;
      }
      this.path.push(atom);
    }
    const here = this.root && after(this.root, this.path);
    if (here && typeof here === "object" && this.path.length > 1) {
      // With one way left, it is taken without further taps.
      const rest = forced(here);
      if (rest) this.path.push(...rest);
    }
    const done = this.root && after(this.root, this.path);
    if (typeof done !== "string") {
      this.light();
      void this.showJumped();
      return this.board.showMost([...this.next, ...this.places]);
    }
    if (this.handlers.confirms() && !this.isButton) {
      this.ready = done;
      this.light();
      return void this.showJumped();
    }
    this.send(done);
  }

  /**
   * Choose what pointing at something means. What had to be fetched on the way may ask more that
   * it answers.
   * @param {string} name
   */
  async choosePlace(name) {
    const { root } = this;
    const start = [...this.path];
    /** @type {string[]} */
    let said = [];
    for (let atoms = this.meant(name); atoms.length > said.length; atoms = this.meant(name, start)) {
      await this.choose(...atoms.slice(said.length));
      if (this.root !== root || this.path.join() !== [...start, ...atoms].join()) return;
      said = atoms;
    }
  }

  /** Send the move that waits. */
  confirm() {
    if (this.ready !== null) this.send(this.ready);
  }

  /** @param {string} text */
  send(text) {
    const { became, path: atoms } = this;
    const ways = this.shownWays(null);
    this.set(null);
    this.board.light({ chosen: atoms, ways, became });
    this.handlers.play(text, atoms);
  }

  /** Give up half a move. Returns whether there was one. */
  cancel() {
    const had = this.path.length > 0 || this.refused.length > 0;
    this.path = [];
    this.ready = null;
    this.refused = [];
    this.became = [];
    this.handlers.forget();
    if (had) this.light();
    return had;
  }

  /** Take the last atom back. */
  back() {
    this.path.pop();
    this.ready = null;
    this.became = [];
    this.light();
    void this.showJumped();
  }

  /**
   * Cross out the cells of a refusal. What must be chosen instead is not crossed out: then it is
   * what was tried.
   * @param {string[]} cells
   * @param {string[]} [tried]
   */
  refuse(cells, tried = []) {
    const wrong = tried.findIndex((_, number) => this.root && after(this.root, tried.slice(0, number + 1)) === undefined);
    const free = [...this.next, ...this.places];
    this.refused = cells.filter((cell) => !free.includes(cell));
    if (wrong >= 0 && this.refused.length < cells.length) this.refused.push(tried[wrong]);
    this.light();
  }

  /**
   * The player points at something.
   * @param {string[]} names  what is there, uppermost first
   * @param {string | null} near  what may be chosen and is within reach
   */
  async pick(names, near) {
    if (!this.root) return;
    const before = this.path.slice(0, -1);
    const again = names.some((name) => this.meant(name, before)[0] === this.path.at(-1));
    if (this.ready !== null && again) return this.confirm();
    const { next, places } = this;
    const found = names.find((name) => next.includes(name))
      ?? names.find((name) => places.includes(name)) ?? near;
    if (found) return this.choosePlace(found);
    const { node, root } = this;
    for (const name of names) {
      const way = node && this.path.length && ending(node, name, (atom) => this.isPlace(atom));
      if (way) return this.choose(...way);
    }
    const { stop } = this;
    if (stop && names.includes(this.path[this.path.length - 1])) return this.choose(stop);
    if (names.some((name) => this.path.includes(name))) return void this.cancel();
    // Half a move is given up for another piece, never for a whole move, which could be a mistake.
    const start = names.find((name) => Object.hasOwn(root, name) && typeof root[name] !== "string");
    if (start && this.path.length) {
      this.path = [];
      this.ready = null;
      this.became = [];
      return this.choose(start);
    }
    if (!names.length || this.ready !== null) return void this.cancel();
    this.handlers.explain([...this.path, names[0]]);
  }
}
