// Where things are on a table, read off its scene.

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Panel} Panel */
/** A point; `extra` where something is only shown once more. @typedef {{x: number, y: number, extra?: boolean}} Point */

/**
 * What one calls a piece in a move: its own name, its area's, or that of the place it is in.
 * @param {Scene} scene
 * @param {Piece} piece
 */
export function atomOf(scene, piece) {
  return piece.atom || (scene.areas.find((area) => area.id === piece.at)?.atom ?? piece.at);
}

/**
 * All that a name in a move, or in a highlight, can mean on the table: nothing for a button.
 * Where several areas share a name, that of the seat to move counts.
 * @param {Scene} scene
 * @param {string} atom
 * @returns {Point[]}
 */
export function spots(scene, atom) {
  /** @type {Point[]} */
  const found = scene.cells.filter((cell) => cell.id === atom);
  if (found.length) return found;
  const named = scene.pieces.filter((piece) => piece.atom === atom);
  if (named.length) return named;
  const lying = scene.pieces.filter((piece) => piece.at === atom);
  if (lying.length) return lying;
  const areas = scene.areas.filter((area) => area.atom === atom || area.id === atom);
  const held = scene.pieces.filter((piece) => areas.some((area) => area.id === piece.at));
  const own = held.filter((piece) => piece.owner === scene.turn);
  if (own.length) return own;
  if (held.length) return held;
  return areas.map((area) => ({ x: area.spots[0][0], y: area.spots[0][1] }));
}

/**
 * Where to show that the keyboard is at a name: not where it is only shown once more.
 * @param {Scene} scene
 * @param {string | null} atom
 * @returns {Point | null}
 */
export function mainSpot(scene, atom) {
  const found = atom === null ? [] : spots(scene, atom);
  return found.find((point) => !point.extra) ?? found[0] ?? null;
}

/**
 * Every name that can be pointed at, with its spots.
 * @param {Scene} scene
 * @returns {Map<string, Point[]>}
 */
export function everything(scene) {
  const names = [
    ...scene.cells.map((cell) => cell.id),
    ...scene.areas.map((area) => area.atom),
    ...scene.pieces.filter((piece) => piece.atom).map((piece) => piece.atom),
  ];
  return new Map([...new Set(names)].map((name) => [name, spots(scene, name)]));
}

/**
 * The radius of the circles, 50 at most, that fit around all cells without overlapping.
 * @param {Scene} scene
 */
export function room(scene) {
  let least = 50;
  scene.cells.forEach((a, index) => {
    for (const b of scene.cells.slice(index + 1)) {
      least = Math.min(least, Math.hypot(a.x - b.x, a.y - b.y) / 2);
    }
  });
  return least;
}

/**
 * The same scene, turned clockwise by quarters. What is written on it stays upright.
 * @param {Scene} scene
 * @param {number} quarters
 * @returns {Scene}
 */
export function turned(scene, quarters) {
  const { width, height } = scene;
  const odd = quarters % 2 === 1;
  /** @param {[number, number]} point @returns {[number, number]} */
  const spot = ([x, y]) => /** @type {[number, number][]} */ ([[x, y], [height - y, x], [width - x, height - y], [y, width - x]])[quarters];
  /** @template {Point} T @param {T} item @returns {T} */
  const moved = (item) => {
    const [x, y] = spot([item.x, item.y]);
    return { ...item, x, y };
  };
  return {
    ...scene,
    width: odd ? height : width,
    height: odd ? width : height,
    quarters: (scene.quarters + quarters) % 4,
    cells: scene.cells.map((cell) => ({ ...moved(cell), outline: cell.outline.map(spot) })),
    pieces: scene.pieces.map((piece) => ({
      ...moved(piece), facing: piece.facing === null ? null : (piece.facing + 90 * quarters) % 360,
    })),
    areas: scene.areas.map((area) => ({ ...area, spots: area.spots.map(spot) })),
    labels: scene.labels.map(([x, y, words, style]) => [...spot([x, y]), words, style]),
    panels: scene.panels.map((panel) => {
      const [ax, ay] = spot([panel.x, panel.y]);
      const [bx, by] = spot([panel.x + panel.width, panel.y + panel.height]);
      return {
        ...panel, x: Math.min(ax, bx), y: Math.min(ay, by),
        width: Math.abs(bx - ax), height: Math.abs(by - ay), focus: panel.focus.map(spot),
      };
    }),
  };
}

/**
 * The transform that turns the drawing of the board as its scene is turned.
 * @param {Scene} scene
 */
export function ground({ width, height, quarters }) {
  const [x, y] = [[width, height], [width, width], [width, height], [height, height]][quarters];
  return quarters ? `rotate(${90 * quarters} ${x / 2} ${y / 2})` : "";
}

/**
 * The panels in which a scene is shown; the whole, where the scene has none.
 * @param {Scene} scene
 * @returns {Panel[]}
 */
export function panelsOf({ panels, width, height }) {
  return panels.length ? panels : [{ id: "", x: 0, y: 0, width, height, kind: "board", focus: [] }];
}

/**
 * @param {Panel} panel
 * @param {Point} point
 */
export function inside(panel, { x, y }) {
  return x >= panel.x && x <= panel.x + panel.width && y >= panel.y && y <= panel.y + panel.height;
}

/**
 * The nearest of some points, seen from another, in a direction: what an arrow key means.
 * @template {Point} T
 * @param {Point} from
 * @param {Iterable<T>} points
 * @param {number} dx  -1, 0 or 1
 * @param {number} dy
 * @returns {T | null}
 */
export function towards(from, points, dx, dy) {
  let best = null;
  let least = Infinity;
  for (const point of points) {
    const x = point.x - from.x;
    const y = point.y - from.y;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead < 1 || aside > 2.5 * ahead) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [point, cost];
  }
  return best;
}
