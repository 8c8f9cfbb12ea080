// Moves with their variations, as a tree: the moves that were tried, and the present place among
// them.

/** A move of the tree; the root has none. @typedef {{move: string, label: string, parent: Variation | null, children: Variation[]}} Variation */

/** @param {string} move @param {string} label @param {Variation | null} parent @returns {Variation} */
const grown = (move, label, parent) => ({ move, label, parent, children: [] });

/** In an address: moves follow each other, other moves than the one before stand in brackets. */
const JOINT = "_";
const TOKENS = /[()]|[^()_]+/g;

export class Variations {
  constructor() {
    /** Where the line begins. @type {Variation} */
    this.root = grown("", "", null);
    /** The present place. @type {Variation} */
    this.here = this.root;
  }

  /** The way from the beginning to a move, the move itself last. @param {Variation} [node] @returns {Variation[]} */
  way(node = this.here) {
    const way = [];
    for (let at = node; at.parent; at = at.parent) way.unshift(at);
    return way;
  }

  /** The moves that lead to where one is, or to another place. @param {Variation} [node] */
  line(node = this.here) {
    return this.way(node).map(({ move }) => move);
  }

  /** Every move after which nothing more was tried. @param {Variation} [node] @returns {Variation[]} */
  leaves(node = this.root) {
    return node.children.length ? node.children.flatMap((child) => this.leaves(child)) : [node];
  }

  /** Go on with a move; another than those tried before becomes a variation. @param {string} move @param {string} [label] */
  play(move, label = move) {
    let next = this.here.children.find((child) => child.move === move);
    if (!next) this.here.children.push((next = grown(move, label, this.here)));
    this.here = next;
  }

  back() {
    this.here = this.here.parent ?? this.here;
  }

  forward() {
    this.here = this.here.children[0] ?? this.here;
  }

  first() {
    this.here = this.root;
  }

  last() {
    while (this.here.children.length) this.forward();
  }

  /** Go to the next of the moves that were tried here, or to the one before. @param {1 | -1} step */
  beside(step) {
    const all = this.here.parent?.children ?? [this.here];
    this.here = all[all.indexOf(this.here) + step] ?? this.here;
  }

  /** The nearest move up the line that is not the first that was tried. @param {Variation} [node] @returns {Variation | null} */
  branching(node = this.here) {
    return this.way(node).findLast((one) => one.parent?.children[0] !== one) ?? null;
  }

  /** Make the variation where one is the one that comes first. */
  promote() {
    const branch = this.branching();
    const all = branch?.parent?.children;
    if (branch && all) all.unshift(...all.splice(all.indexOf(branch), 1));
  }

  /** Take the move where one is off the tree, with all that follows it. */
  remove() {
    const { parent } = this.here;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(this.here), 1);
    this.here = parent;
  }

  // ---- in an address ----

  /** The whole tree in one word. */
  write() {
    /** @param {Variation} node @returns {string[]} */
    const rest = (node) => {
      const words = [];
      for (let at = node; at.children.length; at = at.children[0]) {
        words.push(encodeURIComponent(at.children[0].move));
        for (const other of at.children.slice(1)) {
          words.push(`(${[encodeURIComponent(other.move), ...rest(other)].join(JOINT)})`);
        }
      }
      return words;
    };
    return rest(this.root).join(JOINT);
  }

  /** Where one is: which of the moves that were tried, one digit after another. */
  place() {
    return this.way().map((node) => Math.min(node.parent?.children.indexOf(node) ?? 0, 35).toString(36)).join("");
  }

  /**
   * What `write` wrote, and the `place` in it.
   * @param {string} text
   * @param {string} [place]
   */
  static read(text, place = "") {
    const tree = new Variations();
    /** @type {Variation[]} */
    const waiting = [];
    for (const token of text.match(TOKENS) ?? []) {
      if (token === "(") {
        waiting.push(tree.here);
        tree.back();
      } else if (token === ")") tree.here = waiting.pop() ?? tree.here;
      else tree.play(decodeURIComponent(token));
    }
    tree.here = tree.root;
    for (const digit of place) tree.here = tree.here.children[parseInt(digit, 36)] ?? tree.here;
    return tree;
  }
}

/** Keys that walk along a tree. @type {Record<string, (tree: Variations) => void>} */
export const WALKS = {
  ArrowLeft: (tree) => tree.back(), ArrowRight: (tree) => tree.forward(),
  ArrowUp: (tree) => tree.beside(-1), ArrowDown: (tree) => tree.beside(1),
  Home: (tree) => tree.first(), End: (tree) => tree.last(),
  PageUp: (tree) => tree.back(), PageDown: (tree) => tree.forward(),
};
