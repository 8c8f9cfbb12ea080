// The panels in which a scene is shown: side by side or one at a time, how large each is, and which
// part of it is in sight. A scene without panels is one panel.
import { moving } from "./animate.js";
import { h } from "./dom.js";
import { blank } from "./draw.js";
import { inside, isStrip, panelsOf, spots } from "./scene.js";
import { panelName } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Panel} Panel */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./scene.js").Point} Point */
/**
 * A panel as it is drawn, in a frame that scrolls its picture; `aim` is the point to keep in sight
 * when the frame, whose height was `height`, becomes higher or lower.
 * @typedef {{panel: Panel, frame: HTMLElement, svg: SVGSVGElement,
 *   layers: Record<string, SVGElement>, aim: Point | null, height: number}} DrawnPanel
 */

/** What a fingertip covers, in pixels. */
const FINGER = 44;
/** Cells below this width, in pixels, can be enlarged. */
const SMALL = 34;
/** A board below this width, in pixels, shows one panel at a time. */
const NARROW = 640;

/**
 * Draw the frame of each panel; they are kept as long as the panels are the same.
 * @param {Board} board
 * @param {Scene} scene
 */
export function arrange(board, scene) {
  const now = panelsOf(scene);
  const known = new Set(board.panels.map(({ panel }) => panel.id));
  const same = now.length === board.panels.length && now.every((panel) => known.has(panel.id));
  if (!same) replacePanels(board, now);
  const turned = scene.flipped ? `rotate(180 ${scene.width / 2} ${scene.height / 2})` : "";
  for (const panel of now) {
    const drawn = /** @type {DrawnPanel} */ (find(board, panel.id));
    const height = Math.max(panel.height, same ? drawn.panel.height : 0); // it grows, it does not jump
    drawn.panel = { ...panel, height };
    drawn.svg.setAttribute("viewBox", `${panel.x} ${panel.y} ${panel.width} ${height}`);
    drawn.layers.ground.firstElementChild?.setAttribute("transform", turned);
  }
  fit(board);
}

/**
 * @param {Board} board
 * @param {Panel[]} panels
 */
function replacePanels(board, panels) {
  board.pieces = [];
  board.cells.clear();
  board.panels = panels.map((panel) => framed(board, panel));
  const large = board.panels.filter(({ panel }) => !isStrip(panel));
  board.tabs.replaceChildren(...large.map(({ panel }) => h("button", {
    type: "button", role: "tab", "data-panel": panel.id, class: "panel-tab",
    onclick: () => show(board, panel.id),
  }, panelName(panel.id))));
  board.tabs.hidden = large.length < 2;
  board.host.replaceChildren(board.tabs, ...board.panels.map(({ frame }) => frame));
  board.host.classList.toggle("panelled", board.panels.length > 1);
  const front = large.find(({ panel }) => panel.id === board.front) ?? large[0];
  board.front = "";
  show(board, front.panel.id);
}

/**
 * @param {Board} board
 * @param {Panel} panel
 * @returns {DrawnPanel}
 */
function framed(board, panel) {
  const { svg, layers } = blank(board.slug);
  const frame = h("div", {
    class: isStrip(panel) ? "panel strip" : "panel", "data-panel": panel.id,
    ...(panel.id && !isStrip(panel) && { tabindex: 0, role: "group", "aria-label": panelName(panel.id) }),
  }, svg);
  return { panel, frame, svg, layers, aim: null, height: 0 };
}

/**
 * @param {Board} board
 * @param {string} id
 */
function find(board, id) {
  return board.panels.find(({ panel }) => panel.id === id);
}

/**
 * Bring a panel to the front, where they do not all fit.
 * @param {Board} board
 * @param {string} id
 */
export function show(board, id) {
  const shown = find(board, id);
  if (!shown || isStrip(shown.panel)) return;
  const changed = board.front !== id;
  board.front = id;
  for (const { panel, frame } of board.panels) frame.classList.toggle("shown", panel.id === id);
  for (const tab of board.tabs.querySelectorAll("button")) {
    tab.setAttribute("aria-selected", String(tab.dataset.panel === id));
  }
  if (changed) {
    fit(board);
    const { focus } = shown.panel;
    if (focus) scrollTo(shown, { x: focus[0], y: focus[1] }, "center");
  }
}

/**
 * Bring the panel in which most of these names are to the front.
 * @param {Board} board
 * @param {string[]} names
 */
export function showMost(board, names) {
  const { scene, panels } = board;
  if (!scene || panels.length < 2) return;
  const points = names.flatMap((name) => spots(scene, name));
  /** @type {{drawn: DrawnPanel, here: Point[]} | null} */
  let best = null;
  for (const drawn of panels) {
    const here = points.filter((point) => inside(drawn.panel, point));
    if (here.length > (best?.here.length ?? 0)) best = { drawn, here };
  }
  if (!best || isStrip(best.drawn.panel)) return;
  const { drawn, here } = best;
  show(board, drawn.panel.id);
  const y = here.reduce((sum, point) => sum + point.y, 0) / here.length;
  scrollTo(drawn, { x: here[0].x, y }, "nearest");
}

/**
 * Scroll a panel until a point of the scene is in sight.
 * @param {DrawnPanel} drawn
 * @param {Point} point
 * @param {"nearest" | "center"} how
 */
export function scrollTo(drawn, point, how) {
  const { frame, panel, svg } = drawn;
  drawn.aim = point;
  const scale = svg.clientWidth / panel.width;
  const y = (point.y - panel.y) * scale;
  const margin = Math.min(90, frame.clientHeight / 3);
  if (how === "nearest" && y > frame.scrollTop + margin && y < frame.scrollTop + frame.clientHeight - margin) return;
  frame.scrollTo({ top: y - frame.clientHeight / 2, behavior: moving() && how === "nearest" ? "smooth" : "instant" });
}

/**
 * Give every panel its size: as large as its frame allows, and one of several never too small.
 * @param {Board} board
 */
export function fit(board) {
  const { scene, host, panels, room } = board;
  if (!scene) return;
  const several = panels.length > 1;
  const narrow = host.clientWidth < NARROW;
  host.classList.toggle("narrow", several && narrow);
  for (const drawn of panels) {
    const { panel, frame, svg } = drawn;
    if (several && narrow && !isStrip(panel) && panel.id !== board.front) continue;
    const across = frame.clientWidth / panel.width;
    const whole = isStrip(panel) ? across : Math.min(across, frame.clientHeight / panel.height);
    const cells = scene.cells.some((cell) => inside(panel, cell));
    if (cells) board.small = whole * 2 * room < SMALL;
    let scale = whole;
    if (board.zoomed) scale = Math.max(whole, FINGER / (2 * room));
    else if (several && !isStrip(panel)) {
      const least = cells ? 40 / (2 * room) : 0.42;
      scale = Math.min(across, Math.max(whole, least));
    }
    scale = Math.min(scale, isStrip(panel) ? 1.1 : 1.6);
    svg.style.width = `${Math.floor(panel.width * scale)}px`;
    svg.style.height = `${Math.floor(panel.height * scale)}px`;
    if (drawn.aim && drawn.height !== frame.clientHeight) scrollTo(drawn, drawn.aim, "nearest");
    drawn.height = frame.clientHeight;
  }
  host.dispatchEvent(new Event("fitted"));
}

/**
 * Mark the tabs of the panels in which something can be chosen.
 * @param {Board} board
 * @param {Scene} scene
 */
export function markTabs(board, scene) {
  const points = board.marks.next.flatMap((atom) => spots(scene, atom));
  for (const tab of board.tabs.querySelectorAll("button")) {
    const drawn = find(board, tab.dataset.panel ?? "");
    tab.classList.toggle("busy", points.some((point) => drawn && inside(drawn.panel, point)));
  }
}
