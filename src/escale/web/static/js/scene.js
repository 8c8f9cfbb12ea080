// Finds places on a table in its scene.

/**
 * A scene as it is shown; where it is seen from near, `cut` tells from where, and how large the whole was.
 * @typedef {import("./types.js").Scene & {cut?: {left: number, top: number, width: number, height: number}}} Scene
 */
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

/** Cells are at least this wide, in pixels, where anything can make room for them. */
const LEAST_WIDTH = 26;
/** What is written beside the outermost cells has this much room, in units of the scene. */
const BESIDE = 44;
/** The width of a name along the edge, with a little room, in units of the scene. */
const WRITTEN = 30;
/** A board this many times wider than high stands upright in a frame that is higher than wide. */
const WIDE = 1.2;

/** Whether a scene is a ring of columns, the outermost of which are shown a second time. @param {Scene} scene */
const isRing = ({ cells }) => cells.some((cell) => cell.extra);

/**
 * How many quarters a scene is turned to fill a frame: what is on the left, as the reserve of the near
 * side is, stands below then. A ring is not turned: its words speak of columns.
 * @param {Scene} scene
 * @param {{width: number, height: number}} frame
 */
export function quartersFor(scene, { width, height }) {
  return !scene.panels.length && !isRing(scene) && height > width && scene.width > WIDE * scene.height ? 3 : 0;
}

/**
 * A scene from near, where the whole would be small. Of a ring, only as much of the table is seen as its
 * columns need, and what is written beside them moves up to them; where they would still be too narrow for
 * a finger, each is seen once. Other boards lose no more than their rim.
 * @param {Scene} scene
 * @param {{width: number, height: number}} frame  in pixels
 * @returns {Scene}
 */
export function closer(scene, frame) {
  if (!frame.width || !frame.height || scene.panels.length) return scene;
  if (isRing(scene)) return frame.width * scene.height < frame.height * scene.width ? ringCloser(scene, frame) : scene;
  const scale = Math.min(frame.width / scene.width, frame.height / scene.height);
  return 2 * room(scene) * scale < LEAST_WIDTH ? withoutRim(scene, LEAST_WIDTH / (2 * room(scene)), frame) : scene;
}

/** @param {Scene} scene @param {{width: number, height: number}} frame @returns {Scene} */
function ringCloser(scene, frame) {
  const { cells, width, height } = scene;
  /** @param {Cell[]} shown */
  const extent = (shown) => {
    const across = shown.flatMap((cell) => cell.outline.map(([x]) => x));
    const [west, east] = [Math.min(...across), Math.max(...across)];
    const wide = Math.max(east - west + 2 * BESIDE, (height * frame.width) / frame.height);
    return { west, east, wide, left: (west + east - wide) / 2 };
  };
  const whole = extent(cells);
  const once = (2 * room(scene) * frame.width) / whole.wide < LEAST_WIDTH;
  const shown = once ? cells.filter((cell) => !cell.extra) : cells;
  const { west, east, wide, left } = once ? extent(shown) : whole;
  const on = new Set(cells.map((cell) => cell.id));
  const columns = new Set(shown.map(({ x }) => Math.round(x)));
  const gone = new Set(cells.map(({ x }) => Math.round(x)).filter((x) => !columns.has(x)));
  const rows = new Set(cells.map(({ y }) => Math.round(y)));
  /** @param {number} x @param {number} y */
  const place = (x, y) => {
    if (columns.has(Math.round(x))) return x - left;
    if (rows.has(Math.round(y))) return x < west ? west - left - BESIDE / 2 : east - left + BESIDE / 2;
    return (x * wide) / width;
  };
  /** @param {number} x */
  const within = (x) => Math.max(BESIDE, Math.min(wide - BESIDE, x)); // so that no word is cut
  return {
    ...scene,
    width: wide,
    cut: { left, top: 0, width, height },
    cells: shown.map((cell) => ({ ...cell, x: cell.x - left, outline: cell.outline.map(([x, y]) => [x - left, y]) })),
    pieces: scene.pieces.filter((piece) => !(once && piece.extra))
      .map((piece) => ({ ...piece, x: on.has(piece.at) ? piece.x - left : (piece.x * wide) / width })),
    areas: scene.areas.map((area) => ({ ...area, spots: area.spots.map(([x, y]) => [place(x, y), y]) })),
    labels: scene.labels.filter(([x]) => !gone.has(Math.round(x))).map(([x, y, words, style]) => [columns.has(Math.round(x)) || rows.has(Math.round(y)) ? place(x, y) : within(place(x, y)), y, words, style]),
  };
}

/**
 * A scene without as much of its rim as a scale asks for, but with all cells, pieces and labels.
 * @param {Scene} scene
 * @param {number} scale
 * @param {{width: number, height: number}} frame
 * @returns {Scene}
 */
function withoutRim(scene, scale, frame) {
  const things = [...scene.cells, ...scene.pieces];
  const written = scene.labels.map(([x, y]) => ({ x, y }));
  /** As much on both sides, where that is possible. @param {"x" | "y"} along @param {number} whole @param {number} wanted */
  const ends = (along, whole, wanted) => {
    const low = Math.min(...things.map((one) => one[along] - BESIDE / 2), ...written.map((one) => one[along] - WRITTEN / 2));
    const high = Math.max(...things.map((one) => one[along] + BESIDE / 2), ...written.map((one) => one[along] + WRITTEN / 2));
    const [before, after] = [Math.max(0, low), Math.max(0, whole - high)];
    const less = Math.min(before + after, Math.max(0, whole - wanted));
    const start = Math.max(less - after, Math.min(before, less / 2));
    return [start, whole - (less - start)];
  };
  const [left, right] = ends("x", scene.width, frame.width / scale);
  const [top, bottom] = ends("y", scene.height, frame.height / scale);
  /** @template {Point} T @param {T} item @returns {T} */
  const moved = (item) => ({ ...item, x: item.x - left, y: item.y - top });
  return {
    ...scene,
    width: right - left,
    height: bottom - top,
    cut: { left, top, width: scene.width, height: scene.height },
    cells: scene.cells.map((cell) => ({ ...moved(cell), outline: cell.outline.map(([x, y]) => [x - left, y - top]) })),
    pieces: scene.pieces.map(moved),
    areas: scene.areas.map((area) => ({ ...area, spots: area.spots.map(([x, y]) => [x - left, y - top]) })),
    labels: scene.labels.map(([x, y, words, style]) => [x - left, y - top, words, style]),
  };
}

/**
 * The transform that turns the drawing of the board as its scene is turned.
 * @param {Scene} scene
 */
export function ground({ quarters, ...scene }) {
  const { left, top, width, height } = scene.cut ?? { left: 0, top: 0, ...scene };
  const [x, y] = [[width, height], [width, width], [width, height], [height, height]][quarters];
  return `translate(${-left} ${-top})${quarters ? ` rotate(${90 * quarters} ${x / 2} ${y / 2})` : ""}`;
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
