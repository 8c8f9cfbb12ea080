// From the tree of legal moves, all input on the board: taps, drags and keys. What may be pointed
// at next is lit; half a move can be given up; what is not legal is explained by the house.
import { everything, mainSpot, spots, towards } from "./scene.js";
import { after, cellsFor, ending, forced, meant } from "./trie.js";

/** @typedef {import("./types.js").Branch} Branch */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./scene.js").Point} Point */
/**
 * What the input does when something comes of it.
 * @typedef {{
 *   play: (text: string, atoms: string[]) => void,
 *   explain: (atoms: string[]) => void,
 *   forget: () => void,
 *   fetch: (atoms: string[]) => Promise<Branch | null>,
 *   changed: () => void,
 *   confirms: () => boolean,
 *   point: (names: string[]) => void,
 *   type: (letter: string) => void,
 * }} Hands
 */

const DRAG = 8; // pixels after which a press is a drag

export class Input {
  /**
   * @param {Board} board
   * @param {Hands} hands
   */
  constructor(board, hands) {
    this.board = board;
    this.hands = hands;
    /** @type {Branch | null} */
    this.root = null;
    /** The atoms chosen so far. @type {string[]} */
    this.path = [];
    /** The whole move that waits to be confirmed. @type {string | null} */
    this.ready = null;
    /** Cells that a refusal lights. @type {string[]} */
    this.refused = [];
    /** Where the keyboard is. @type {string | null} */
    this.cursor = null;
    this.dragged = false;
    const { host } = board;
    host.addEventListener("click", (event) => this.tap(event));
    host.addEventListener("pointerdown", (event) => this.press(event));
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("blur", () => this.pointAt(null));
  }

  /**
   * Take up a new tree of legal moves, or none.
   * @param {Branch | null} root
   */
  set(root) {
    this.root = root;
    this.path = [];
    this.ready = null;
    this.refused = [];
    this.light();
  }

  /** What may follow what has been chosen. @returns {Branch | null} */
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

  /** Whether a name is something on the table rather than a button. @param {string} atom */
  isPlace(atom) {
    return this.board.scene !== null && spots(this.board.scene, atom).length > 0;
  }

  /** Show on the board how things stand. */
  light() {
    const { next, path, places, refused } = this;
    this.board.light({ next, places, chosen: path, refused });
    this.hands.changed();
  }

  /**
   * Choose an atom, or several that follow each other.
   * @param {...string} atoms
   */
  async choose(...atoms) {
    this.refused = [];
    this.hands.forget();
    for (const atom of atoms) {
      const { node } = this;
      if (!node || !Object.hasOwn(node, atom)) return;
      if (node[atom] === null) {
        const branch = await this.hands.fetch([...this.path, atom]);
        if (this.node !== node) return; // meanwhile the table or the choice has moved on
        if (!branch) return this.light(); // it could not be had: what was chosen stays
        node[atom] = branch;
      }
      this.path.push(atom);
    }
    const here = this.root && after(this.root, this.path);
    if (here && typeof here === "object" && this.path.length > 1) {
      // One way is left: nobody has to walk it step by step.
      const rest = forced(here);
      if (rest) this.path.push(...rest);
    }
    const done = this.root && after(this.root, this.path);
    if (typeof done !== "string") return this.light();
    if (this.hands.confirms()) {
      this.ready = done;
      return this.light();
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
    const atoms = this.path;
    this.set(null);
    this.board.light({ chosen: atoms });
    this.hands.play(text, atoms);
  }

  /** Give up half a move. Returns whether there was one. */
  cancel() {
    const had = this.path.length > 0 || this.refused.length > 0;
    this.path = [];
    this.ready = null;
    this.refused = [];
    this.hands.forget();
    if (had) this.light();
    return had;
  }

  /** Take the last atom back. */
  back() {
    this.path.pop();
    this.ready = null;
    this.light();
  }

  /** Light what a refusal speaks of. @param {string[]} cells */
  refuse(cells) {
    this.refused = cells;
    this.light();
  }

  /**
   * Somebody points at something.
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
    if (names.some((name) => this.path.includes(name))) return void this.cancel();
    // Half a move is given up for another piece, never for a whole move that nobody meant.
    const start = names.find((name) => Object.hasOwn(root, name) && typeof root[name] !== "string");
    if (start && this.path.length) {
      this.path = [];
      this.ready = null;
      return this.choose(start);
    }
    if (!names.length || this.ready !== null) return void this.cancel();
    this.hands.explain([...this.path, names[0]]);
  }

  // ---- fingers and mice ----

  /** @param {MouseEvent} event */
  tap(event) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    if (event.target instanceof Element && event.target.closest("button")) return;
    const found = this.board.at(event.clientX, event.clientY);
    this.pick(found.names, found.near([...this.next, ...this.places]));
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.dragged = false;
    if (event.button !== 0 || !event.isPrimary || !this.root) return;
    const found = this.board.at(event.clientX, event.clientY);
    const start = { x: event.clientX, y: event.clientY };
    const { next, root, path } = this;
    const atom = found.names.find((name) => next.includes(name))
      ?? found.names.find((name) => path.at(-1) === name || Object.hasOwn(root, name));
    if (!atom) return;
    /** @type {ReturnType<Board["lift"]>} */
    let held = null;
    const ends = new AbortController();
    const { signal } = ends;
    /** @param {PointerEvent} now */
    const move = (now) => {
      if (now.pointerId !== event.pointerId) return;
      if (!held) {
        if (Math.hypot(now.clientX - start.x, now.clientY - start.y) < DRAG) return;
        held = this.board.lift(atom);
        if (!held) return ends.abort();
        this.dragged = true;
        if (this.path.at(-1) !== atom) {
          if (!this.next.includes(atom)) this.cancel();
          this.choose(atom);
        }
      }
      held.to(now.clientX, now.clientY);
    };
    /** @param {PointerEvent} now */
    const release = (now) => {
      if (now.pointerId !== event.pointerId) return;
      ends.abort();
      if (!held) return;
      held.drop();
      const over = this.board.at(now.clientX, now.clientY);
      if (over.names.includes(atom) && !over.names.some((name) => this.next.includes(name))) return;
      this.pick(over.names, over.near([...this.next, ...this.places]));
    };
    /** @param {PointerEvent} now */
    const stop = (now) => {
      if (now.pointerId !== event.pointerId) return;
      ends.abort();
      held?.drop();
      if (held) this.cancel();
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", release, { signal });
    addEventListener("pointercancel", stop, { signal });
  }

  // ---- keys ----

  /** @param {string | null} atom */
  pointAt(atom) {
    this.cursor = atom;
    const { scene } = this.board;
    this.board.point(scene && mainSpot(scene, atom));
    const choice = atom === null || this.next.includes(atom) ? [] : this.meant(atom);
    this.hands.point(atom === null ? [] : [atom, ...choice]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("button")) return;
    /** @type {Record<string, [number, number]>} */
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[event.key];
    if (arrow) this.step(arrow, event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") this.pressCursor();
    else if (event.key === "Escape") {
      if (!this.cancel()) return;
    } else if (event.key === "Backspace" && this.path.length) this.back();
    else if (/^[\p{L}\p{N}]$/u.test(event.key) && this.root) this.hands.type(event.key);
    else return;
    event.preventDefault();
  }

  /**
   * Go to the nearest place in a direction: among those that may be chosen, or, where nothing may
   * or with the Shift key, among all there are.
   * @param {[number, number]} arrow
   * @param {boolean} anywhere
   */
  step([dx, dy], anywhere) {
    const { scene } = this.board;
    if (!scene) return;
    const all = everything(scene);
    const legal = [...this.next, ...this.places].filter((atom) => all.has(atom));
    const names = anywhere || !legal.length ? [...all.keys()] : legal;
    const points = names.flatMap((atom) => (all.get(atom) ?? []).filter((point) => !point.extra).map(({ x, y }) => ({ atom, x, y })));
    const here = mainSpot(scene, this.cursor);
    const goal = here ? towards(here, points, dx, dy) : points[0];
    if (goal) this.pointAt(goal.atom);
  }

  pressCursor() {
    if (this.ready !== null) return this.confirm();
    if (this.cursor === null) return this.step([0, 0], false);
    this.pick([this.cursor], null);
  }
}
