// The panels in which a scene is shown: how large each is, and which part of it is in sight. A scene
// without panels is one panel; the parts of another are laid out by layout.js.
import { moving } from "./animate.js";
import { h } from "./dom.js";
import { blank } from "./draw.js";
import { isNarrow, layOut } from "./layout.js";
import { ground, inside, panelsOf, spots } from "./scene.js";
import { caption } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Panel} Panel */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./layout.js").Frame} Frame */
/** @typedef {import("./scene.js").Point} Point */
/**
 * A panel as it is drawn, in a frame that scrolls its picture. `aim` are the points to keep in
 * sight, the most important first, when the frame or the picture gets another size.
 * @typedef {{panel: Panel, frame: HTMLElement, svg: SVGSVGElement,
 *   layers: Record<string, SVGElement>, aim: Point[], size: string}} DrawnPanel
 */

/** What a fingertip covers, in pixels. */
const FINGER_PIXELS = 44;
/** Cells below this width, in pixels, can be enlarged. */
const SMALL_CELL_PIXELS = 36;
/** The margin around what is kept in sight, in units of the scene. */
const MARGIN = 70;
/** What is written along the edges of a board that is drawn smaller than this cannot be read. */
const LEGIBLE = 0.4;

/**
 * Draw the frame of each panel; they are kept as long as the panels are the same.
 * @param {Board} board
 * @param {Scene} scene
 */
export function arrange(board, scene) {
  const now = panelsOf(scene);
  const same = now.length === board.panels.length && now.every((panel, index) => panel.id === board.panels[index].panel.id);
  if (!same) replacePanels(board, now);
  now.forEach((panel, index) => {
    const drawn = board.panels[index];
    const known = drawn.panel.focus;
    drawn.panel = panel;
    drawn.svg.setAttribute("viewBox", `${panel.x} ${panel.y} ${panel.width} ${panel.height}`);
    drawn.layers.ground.firstElementChild?.setAttribute("transform", ground(scene));
    if (String(known) !== String(panel.focus) || !drawn.aim.length) aimAtFocus(drawn);
  });
  fit(board);
}

/**
 * @param {Board} board
 * @param {Panel[]} panels
 */
function replacePanels(board, panels) {
  board.pieces = [];
  board.cells.clear();
  board.front = false;
  board.panels = panels.map((panel) => {
    const { svg, layers } = blank(board.slug);
    const frame = h("div", {
      class: "panel", "data-panel": panel.id, "data-kind": panel.kind,
      ...(panel.id && panel.kind === "board" && { tabindex: 0, role: "group", "aria-label": caption(`panel.${panel.id}`) }),
    }, svg);
    return { panel, frame, svg, layers, aim: [], size: "" };
  });
  board.host.replaceChildren(...board.panels.map(({ frame }) => frame));
  board.host.classList.toggle("panelled", panels.length > 1);
}

/** Keep the important points of a panel in sight, unless the reader scrolled elsewhere. @param
 * {DrawnPanel} drawn
 */
function aimAtFocus(drawn) {
  drawn.aim = drawn.panel.focus.map(([x, y]) => ({ x, y }));
  drawn.size = "";
}

/**
 * Enlarge the board among several panels, or show all of them.
 * @param {Board} board
 * @param {boolean} large
 */
export function enlarge(board, large) {
  if (board.front === large || board.panels.length < 2) return;
  board.front = large;
  if (!large) board.panels.forEach(aimAtFocus);
  fit(board);
}

/**
 * Show where most of these names are: on the board, which is enlarged, or beside it.
 * @param {Board} board
 * @param {string[]} names
 */
export function showMost(board, names) {
  const { scene, panels } = board;
  if (!scene) return;
  const points = names.flatMap((name) => spots(scene, name));
  /** @type {{drawn: DrawnPanel, here: Point[]} | null} */
  let best = null;
  for (const drawn of panels) {
    const here = points.filter((point) => inside(drawn.panel, point));
    if (here.length > (best?.here.length ?? 0)) best = { drawn, here };
  }
  enlarge(board, best?.drawn.panel.kind === "board");
  if (best?.drawn.panel.kind === "board") scrollTo(best.drawn, best.here);
}

/**
 * Scroll a panel until some points of the scene are in sight, and with them what else matters.
 * @param {DrawnPanel} drawn
 * @param {Point[]} points
 */
export function scrollTo(drawn, points) {
  drawn.aim = [...points, ...drawn.panel.focus.map(([x, y]) => ({ x, y }))];
  scroll(drawn, drawn.aim, "nearest");
}

/**
 * Scroll until all of some points are in sight, or, where they are too far apart, as many as can be
 * of the first.
 * @param {DrawnPanel} drawn
 * @param {Point[]} points
 * @param {"nearest" | "center"} how
 */
function scroll(drawn, points, how) {
  const { frame, panel, svg } = drawn;
  const scale = svg.clientWidth / panel.width;
  const left = along(points.map(({ x }) => (x - panel.x) * scale), MARGIN * scale, frame.scrollLeft, frame.clientWidth, how);
  const top = along(points.map(({ y }) => (y - panel.y) * scale), MARGIN * scale, frame.scrollTop, frame.clientHeight, how);
  if (left === frame.scrollLeft && top === frame.scrollTop) return;
  frame.scrollTo({ left, top, behavior: moving() && how === "nearest" ? "smooth" : "instant" });
}

/**
 * Where a frame is scrolled to in one direction.
 * @param {number[]} places  the most important first
 * @param {number} margin
 * @param {number} now
 * @param {number} room
 * @param {"nearest" | "center"} how
 */
function along(places, margin, now, room, how) {
  if (!places.length) return now;
  let [low, high] = [places[0], places[0]];
  for (const place of places) {
    const [down, up] = [Math.min(low, place), Math.max(high, place)];
    if (up - down + 2 * margin > room) break;
    [low, high] = [down, up];
  }
  if (how === "nearest" && low - margin >= now && high + margin <= now + room) return now;
  return Math.max(0, Math.round((low + high - room) / 2));
}

/**
 * Give every panel its frame and its size.
 * @param {Board} board
 */
export function fit(board) {
  const { scene, host, panels } = board;
  if (!scene || !host.clientWidth) return;
  const enlarged = board.front || board.zoomed;
  if (panels.length > 1) {
    const frames = layOut(panels.map(({ panel }) => panel), host.clientWidth, host.clientHeight, enlarged);
    panels.forEach((drawn, index) => fitPart(board, drawn, frames[index], enlarged));
    host.classList.toggle("enlarged", enlarged && isNarrow(host.clientWidth, host.clientHeight));
  } else if (panels.length) fitWhole(board, panels[0]);
  host.dispatchEvent(new Event("fitted"));
}

/**
 * One of several parts, in its frame. Of a board one sees as much as shows all that matters on it.
 * @param {Board} board
 * @param {DrawnPanel} drawn
 * @param {Frame} place
 * @param {boolean} enlarged
 */
function fitPart(board, drawn, place, enlarged) {
  const { panel, frame } = drawn;
  Object.assign(frame.style, {
    left: `${place.x}px`, top: `${place.y}px`, width: `${place.width}px`, height: `${place.height}px`,
  });
  let { scale } = place;
  if (panel.kind === "board") {
    const down = panel.focus.map(([, y]) => y);
    const span = Math.max(...down) - Math.min(...down) + 2 * MARGIN;
    const whole = Math.min(scale, place.height / panel.height);
    if (!enlarged) scale = Math.min(scale, Math.max(whole, place.height / span));
    board.small = whole * 2 * board.room < SMALL_CELL_PIXELS;
    frame.classList.toggle("tiny", scale < LEGIBLE);
  }
  resize(drawn, scale);
}

/**
 * A scene that is one panel: as large as its frame allows, or at the size of a fingertip.
 * @param {Board} board
 * @param {DrawnPanel} drawn
 */
function fitWhole(board, drawn) {
  const { room, zoomed } = board;
  const { panel, frame } = drawn;
  const whole = Math.min(frame.clientWidth / panel.width, frame.clientHeight / panel.height);
  const least = zoomed ? FINGER_PIXELS : 0;
  board.small = whole * 2 * room < SMALL_CELL_PIXELS;
  resize(drawn, Math.min(Math.max(whole, least / (2 * room)), 1.6));
}

/**
 * @param {DrawnPanel} drawn
 * @param {number} scale
 */
function resize(drawn, scale) {
  const { panel, frame, svg } = drawn;
  const [width, height] = [Math.floor(panel.width * scale), Math.floor(panel.height * scale)];
  svg.style.width = `${width}px`;
  svg.style.height = `${height}px`;
  // What scrolls can be reached by keys.
  const scrolls = panel.kind === "board" && (width > frame.clientWidth || height > frame.clientHeight);
  frame.tabIndex = scrolls ? 0 : -1;
  const size = `${width} ${height} ${frame.clientWidth} ${frame.clientHeight}`;
  if (drawn.aim.length && size !== drawn.size) scroll(drawn, drawn.aim, drawn.size ? "nearest" : "center");
  drawn.size = size;
}
