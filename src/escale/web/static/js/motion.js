// Which piece of one scene is which of the next, and how it gets there.

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Change} Change */

/**
 * A piece that stays on the table: which of those before it is, and the places it goes through.
 * @typedef {{before: number, way: string[]}} Same
 */

/**
 * The ways that pieces go, told by what happened: a chain of jumps of one piece is one way.
 * @param {Change[]} changes
 * @returns {string[][]}
 */
export function ways(changes) {
  /** @type {{piece: string | undefined, way: string[]}[]} */
  const found = [];
  for (const { piece, at, to, way = [] } of changes) {
    if (!at || !to || at === to) continue;
    const going = found.find((one) => one.way.at(-1) === at && one.piece === piece);
    if (going) going.way.push(...way, to);
    else found.push({ piece, way: [at, ...way, to] });
  }
  return found.map((one) => one.way);
}

/**
 * For each piece after, which piece before it was. What happened says so first; then a piece that
 * looks the same in the same place is the same; then the nearest one that looks the same.
 * @param {Piece[]} before
 * @param {Piece[]} now
 * @param {Change[]} changes
 * @returns {(Same | null)[]}
 */
export function recognise(before, now, changes) {
  /** @type {(Same | null)[]} */
  const same = now.map(() => null);
  const free = new Set(before.keys());
  /** @param {number} from @param {number} to @param {string[]} way */
  const join = (from, to, way) => {
    same[to] = { before: from, way };
    free.delete(from);
  };

  for (const way of ways(changes)) {
    const to = now.findIndex((piece, i) => !same[i] && !piece.extra && piece.at === way.at(-1));
    if (to < 0) continue;
    const from = [...free].filter((i) => !before[i].extra && before[i].at === way[0]);
    const alike = from.find((i) => before[i].symbol === now[to].symbol) ?? from[0];
    if (alike !== undefined) join(alike, to, way);
  }
  /** @type {((a: Piece, b: Piece) => boolean)[]} */
  const tests = [
    (a, b) => a.at === b.at && looks(a) === looks(b),
    (a, b) => looks(a) === looks(b) && !a.extra,
    (a, b) => a.at === b.at && a.extra === b.extra && !a.label && !b.label,
  ];
  for (const test of tests) {
    now.forEach((piece, to) => {
      if (same[to]) return;
      let best = -1;
      for (const from of free) {
        if (!test(before[from], piece)) continue;
        if (best < 0 || apart(before[from], piece) < apart(before[best], piece)) best = from;
      }
      if (best >= 0) join(best, to, []);
    });
  }
  return same;
}

/** @param {Piece} piece */
function looks(piece) {
  return `${piece.symbol}|${piece.label}|${piece.extra}`;
}

/** @param {Piece} a @param {Piece} b */
function apart(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
