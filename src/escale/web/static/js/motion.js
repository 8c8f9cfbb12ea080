// Matches the pieces of one scene with those of the next, and finds their ways.

/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").Scene} Scene */

/**
 * A piece that stays on the table: which of those before it is, and the places it goes through.
 * @typedef {{before: number, way: string[]}} Same
 */

/**
 * The ways of pieces, from the changes: a chain of jumps of one piece is one way.
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

// ---- in the middle of a move ----

/**
 * What is seen one after another of a move: each step is what happens at once. What is jumped goes
 * with the jump.
 * @param {Change[]} changes
 * @returns {Change[][]}
 */
export function steps(changes) {
  /** @type {Change[][]} */
  const found = [];
  for (const change of changes) {
    const last = found.at(-1);
    if (last && !change.to && change.at && change.at === last[0].over) last.push(change);
    else found.push([change]);
  }
  return found;
}

/**
 * The table in the middle of a move: what has changed so far is done, the rest is as it was. A place
 * that nothing more happens to looks as it will in the end.
 * @param {Scene} shown  the table before
 * @param {Scene} after  the table in the end
 * @param {Change[]} now  what happens next
 * @param {Change[]} later  what happens after that
 * @returns {Scene}
 */
export function halfway(shown, after, now, later) {
  const open = new Set(later.flatMap(places));
  let { pieces } = shown;
  for (const change of now) {
    const { at, to } = change;
    const mover = at && to ? pieces.findLast((piece) => piece.at === at && !piece.extra) : undefined;
    const goal = mover && to ? spot(shown, to, pieces) : null;
    if (mover && to && goal) pieces = [...pieces.filter((piece) => piece !== mover), { ...mover, ...goal, at: to }];
  }
  for (const place of new Set(now.flatMap(places))) {
    if (open.has(place)) continue;
    const settled = after.pieces.filter((piece) => piece.at === place && !piece.extra);
    const cell = shown.cells.find((one) => one.id === place && !one.extra);
    pieces = [
      ...pieces.filter((piece) => piece.at !== place || piece.extra),
      ...settled.map((piece) => (cell ? { ...piece, x: cell.x, y: cell.y } : piece)),
    ];
  }
  const cells = new Set(shown.cells.map((cell) => cell.id));
  const lit = now.flatMap(places).filter((place) => cells.has(place));
  return { ...shown, pieces, highlights: Object.fromEntries(lit.map((place) => [place, "last"])) };
}

/** Whether two scenes have the same pieces in the same places. @param {Scene} a @param {Scene} b */
export function alike(a, b) {
  /** @param {Piece} piece */
  const keyOf = ({ at, name, x, y }) => `${at}|${name}|${x}|${y}`;
  return a.pieces.map(keyOf).sort().join() === b.pieces.map(keyOf).sort().join();
}

/** The places that a change touches. @param {Change} change @returns {string[]} */
function places({ at, to }) {
  return [at, to].flatMap((place) => place ?? []);
}

/**
 * Where a piece comes to lie on a cell, or in an area that has some pieces already.
 * @param {Scene} scene
 * @param {string} place
 * @param {Piece[]} pieces
 */
function spot({ cells, areas }, place, pieces) {
  const cell = cells.find((one) => one.id === place && !one.extra);
  if (cell) return { x: cell.x, y: cell.y };
  const held = pieces.filter((piece) => piece.at === place).length;
  const found = areas.find((area) => area.id === place)?.spots[held];
  return found ? { x: found[0], y: found[1] } : null;
}
