// Computes the frames of a scene's parts on a screen, and their scales.

/** @typedef {import("./types.js").Panel} Panel */
/** A frame in pixels of the board, and how many of them a unit of the scene has. @typedef {{x: number, y: number, width: number, height: number, scale: number}} Frame */

/** Between two parts, in pixels. */
const GAP_PIXELS = 6;
/** The largest gap between two tiles, where there is room. */
const WIDE_GAP = 28;
/** A frame below this width, in pixels, may be narrow. */
const NARROW_PIXELS = 640;
/**
 * Whether a frame is narrow: it has its strips below everything, and its board enlarged over the tiles.
 * @param {number} width
 * @param {number} height
 */
export const isNarrow = (width, height) => width < NARROW_PIXELS && width < 1.2 * height;
/** Strips are drawn no larger than this, in pixels to a unit … */
const LARGEST = 1.1;
/** … and tiles, of which there are several, no larger than this. */
const LARGEST_TILE = 0.85;

/**
 * The frame of each part. All are seen together: the board on the left, the tiles beside it, strips
 * below. An enlarged board covers the tiles if there is no room beside them; nothing else moves, so
 * that every part stays at its place.
 * @param {Panel[]} panels
 * @param {number} width  of the whole, in pixels
 * @param {number} height
 * @param {boolean} enlarged  whether the board is to be as wide as can be
 * @returns {Frame[]}
 */
export function layOut(panels, width, height, enlarged) {
  const narrow = isNarrow(width, height);
  const board = /** @type {Panel} */ (panels.find((panel) => panel.kind === "board"));
  const strips = panels.filter((panel) => panel.kind === "strip");
  const tiles = panels.filter((panel) => panel.kind === "tile");
  const ratio = board.width / board.height;

  // On a narrow screen the strips are below all else, so that their cards are as large as can be.
  const across = narrow ? width : width - wideBoard(width, height, ratio) - GAP_PIXELS;
  const laid = strips.map((strip) => Math.min(across / strip.width, LARGEST));
  const below = strips.reduce((sum, strip, index) => sum + strip.height * laid[index] + GAP_PIXELS, 0);
  const above = Math.max(0, height - below);
  const beside = narrow ? narrowBoard(width, above, ratio) : width - across - GAP_PIXELS;

  /** @type {Map<Panel, Frame>} */
  const frames = new Map();
  const boardWidth = narrow && enlarged ? width : beside;
  frames.set(board, { x: 0, y: 0, width: boardWidth, height: narrow ? above : height, scale: boardWidth / board.width });
  const left = beside + GAP_PIXELS;
  tile(tiles, { x: left, y: 0, width: width - left, height: above }, frames);
  let y = above + GAP_PIXELS;
  strips.forEach((strip, index) => {
    const scale = laid[index];
    const x = (narrow ? 0 : left) + (across - strip.width * scale) / 2;
    frames.set(strip, { x, y, width: strip.width * scale, height: strip.height * scale, scale });
    y += strip.height * scale + GAP_PIXELS;
  });
  return panels.map((panel) => /** @type {Frame} */ (frames.get(panel)));
}

/**
 * How wide the board is where its strips are beside it: two fifths, less where all of it is seen in less.
 * @param {number} width
 * @param {number} height
 * @param {number} ratio
 */
function wideBoard(width, height, ratio) {
  return Math.max(0.36 * width, Math.min(height * ratio, 0.5 * width));
}

/**
 * How wide it is on a narrow screen: as wide as all of it is, within reason.
 * @param {number} width
 * @param {number} height
 * @param {number} ratio
 */
function narrowBoard(width, height, ratio) {
  return Math.min(Math.max(height * ratio, 0.3 * width), 0.46 * width);
}

/**
 * Lay tiles in as many columns as make them largest.
 * @param {Panel[]} tiles
 * @param {{x: number, y: number, width: number, height: number}} room
 * @param {Map<Panel, Frame>} frames
 */
function tile(tiles, room, frames) {
  if (!tiles.length) return;
  const unit = Math.max(...tiles.map((one) => one.width));
  /** @type {{scale: number, rows: Panel[][], columns: number}} */
  let best = { scale: 0, rows: [], columns: 1 };
  for (const columns of [1, 2, 3]) {
    /** @type {Panel[][]} */
    const rows = [];
    tiles.forEach((one, index) => (index % columns ? rows[rows.length - 1].push(one) : rows.push([one])));
    const high = rows.reduce((sum, row) => sum + highest(row), 0);
    const scale = Math.min(
      (room.width - GAP_PIXELS * (columns - 1)) / (unit * columns), (room.height - GAP_PIXELS * (rows.length - 1)) / high, LARGEST_TILE);
    if (scale > best.scale || columns === 1) best = { scale: Math.max(0, scale), rows, columns };
  }
  const { scale, rows, columns } = best;
  const high = rows.reduce((sum, row) => sum + highest(row) * scale, 0);
  const gap = Math.min(WIDE_GAP, (room.height - high) / Math.max(1, rows.length - 1));
  const x = room.x + (room.width - columns * unit * scale - GAP_PIXELS * (columns - 1)) / 2;
  let y = room.y;
  for (const row of rows) {
    row.forEach((one, index) => frames.set(one, {
      x: x + index * (unit * scale + GAP_PIXELS), y, width: one.width * scale, height: one.height * scale, scale,
    }));
    y += highest(row) * scale + gap;
  }
}

/** @param {Panel[]} row */
function highest(row) {
  return Math.max(...row.map((one) => one.height));
}
