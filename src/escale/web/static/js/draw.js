// Draws a scene in layers, as render/svg.py does. What is drawn already stays, and moves.
import { appear, slide, transform, vanish } from "./animate.js";
import { s } from "./dom.js";
import { recognise } from "./motion.js";
import { atomOf, inside } from "./scene.js";
import { caption } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./panels.js").DrawnPanel} DrawnPanel */
/** @typedef {{piece: Piece, element: SVGElement, drawn: DrawnPanel}} DrawnPiece */

const LONGEST_WAY = 3; // steps that a way takes, however many places it goes through
/** From the lowest to the uppermost. */
const LAYERS = ["ground", "cells", "marks", "labels", "areas", "pieces", "over"];
/** Layers that fingers reach through. */
const UNTOUCHED = ["marks", "labels", "over"];
/** Labels, where a game's art does not say otherwise. */
const LABEL = { "text-anchor": "middle", fill: "#444", "font-family": "sans-serif", "font-size": "20" };
/** How much is seen of what is only shown once more, or faded. */
const FAINT = "0.4";

/**
 * A picture with nothing but the ground.
 * @param {string} slug
 */
export function blank(slug) {
  const svg = /** @type {SVGSVGElement} */ (s("svg", { "aria-hidden": "true", focusable: "false" }));
  /** @type {Record<string, SVGElement>} */
  const layers = {};
  for (const name of LAYERS) {
    layers[name] = s("g", { class: name });
    svg.append(layers[name]);
  }
  for (const name of UNTOUCHED) layers[name].setAttribute("pointer-events", "none");
  for (const [name, value] of Object.entries({ ...LABEL, ...style(slug, "label") })) layers.labels.setAttribute(name, value);
  if (has(slug, "board")) layers.ground.append(s("use", { class: "board", href: `#${slug}-board` }));
  return { svg, layers };
}

// ---- the art that the page carries ----

/**
 * Whether a game's art has a drawing of that name.
 * @param {string} slug
 * @param {string} name
 */
function has(slug, name) {
  return document.getElementById(`${slug}-${name}`) !== null;
}

/**
 * How the art wants some labels written: the attributes of its empty `<text>`.
 * @param {string} slug
 * @param {string} name
 * @returns {Record<string, string> | null}
 */
function style(slug, name) {
  const text = document.getElementById(`${slug}-${name}`);
  if (text?.localName !== "text") return null;
  return Object.fromEntries([...text.attributes].filter((one) => one.name !== "id").map((one) => [one.name, one.value]));
}

// ---- cells and areas ----

/**
 * @param {Board} board
 * @param {Scene} scene
 * @param {boolean} animate
 */
export function drawCells(board, scene, animate) {
  const left = new Set(board.cells.keys());
  for (const cell of scene.cells) {
    const drawn = board.panelAt(cell);
    if (!drawn) continue;
    const key = `${cell.id}|${cell.extra}|${cell.symbol}`;
    const place = placeOf(cell, scene);
    left.delete(key);
    let element = board.cells.get(key);
    if (!element) {
      element = cellElement(board.slug, cell, scene);
      drawn.layers.cells.append(element);
    } else if (element.dataset.place !== place && element.localName === "use") {
      if (animate) slide(element, [String(element.dataset.place), place], board.step);
      element.setAttribute("transform", place);
    } else if (element.dataset.place !== place) {
      const fresh = cellElement(board.slug, cell, scene);
      element.replaceWith(fresh);
      element = fresh;
    }
    element.dataset.place = place;
    board.cells.set(key, element);
  }
  for (const key of left) {
    board.cells.get(key)?.remove();
    board.cells.delete(key);
  }
  drawAreas(board, scene);
}

/** @param {Cell} cell @param {Scene} scene */
function placeOf(cell, scene) {
  return transform(cell.x, cell.y, 90 * scene.quarters);
}

/**
 * @param {string} slug
 * @param {Cell} cell
 * @param {Scene} scene
 */
function cellElement(slug, cell, scene) {
  const common = { class: "cell", "data-at": cell.id, ...(cell.extra && { opacity: FAINT }) };
  const name = [cell.symbol, `cell-${cell.id}`, "cell"].find((one) => one && has(slug, one));
  if (name) return s("use", { ...common, href: `#${slug}-${name}`, transform: placeOf(cell, scene) });
  return shape(cell, 20, { ...common, fill: "#fff", "fill-opacity": ".2", stroke: "#444" });
}

/**
 * A cell's outline, or its round hole.
 * @param {Cell} cell
 * @param {number} r  of a hole
 * @param {Record<string, string>} look
 */
export function shape({ outline, x, y }, r, look) {
  if (!outline.length) return s("circle", { ...look, cx: x, cy: y, r });
  return s("polygon", { ...look, points: outline.map((corner) => corner.join()).join(" ") });
}

/**
 * @param {Board} board
 * @param {Scene} scene
 */
function drawAreas(board, scene) {
  for (const { panel, layers } of board.panels) {
    layers.areas.replaceChildren(...scene.areas.flatMap((area) => {
      const across = area.spots.map((spot) => spot[0]);
      const down = area.spots.map((spot) => spot[1]);
      const [x, y] = [Math.min(...across) - 25, Math.min(...down) - 25];
      if (!inside(panel, { x: x + 25, y: y + 25 })) return [];
      return [s("rect", {
        class: "area", "data-at": area.id, fill: "none", x, y,
        width: Math.max(...across) + 25 - x, height: Math.max(...down) + 25 - y,
      })];
    }));
  }
}

// ---- labels ----

/**
 * @param {Board} board
 * @param {Scene} scene
 */
export function drawLabels(board, scene) {
  for (const { panel, layers } of board.panels) {
    layers.labels.replaceChildren(...scene.labels.flatMap(([x, y, words, name]) => {
      if (!inside(panel, { x, y })) return [];
      const look = name === "label" ? {} : { class: name, ...style(board.slug, name) };
      const label = s("text", { x, y, dy: ".35em", ...look });
      label.textContent = typeof words === "string" ? words : caption(...words);
      return [label];
    }));
  }
}

// ---- pieces ----

/**
 * @param {Board} board
 * @param {Scene} scene
 * @param {Change[]} changes
 * @param {boolean} animate
 * @returns {number}  how long the longest way takes, in milliseconds
 */
export function drawPieces(board, scene, changes, animate) {
  const before = board.pieces;
  const now = scene.pieces.filter((piece) => board.panelAt(piece));
  const same = recognise(before.map(({ piece }) => piece), now, changes);
  const gone = new Set(before);
  const { step } = board;
  let lasts = 0;
  board.pieces = now.map((piece, index) => {
    const drawn = /** @type {DrawnPanel} */ (board.panelAt(piece));
    const old = same[index] ? before[same[index].before] : null;
    const stays = old?.drawn === drawn;
    if (old) gone.delete(old);
    if (old && !stays) old.element.remove();
    const element = stays ? old.element : s("g");
    dress(element, board.slug, piece, stays ? old.piece : null);
    element.dataset.atom = atomOf(scene, piece);
    const place = transform(piece.x, piece.y, piece.facing);
    element.setAttribute("transform", place);
    drawn.layers.pieces.append(element); // in the scene's order: later ones lie above
    const from = stays ? transform(old.piece.x, old.piece.y, old.piece.facing) : "";
    if (from !== place) {
      const between = (same[index]?.way ?? []).slice(1, -1).flatMap((at) => {
        const cell = scene.cells.find((one) => one.id === at && !one.extra);
        return cell ? [transform(cell.x, cell.y, piece.facing)] : [];
      });
      const duration = from ? step * Math.min(1 + between.length, LONGEST_WAY) : step;
      lasts = Math.max(lasts, duration);
      if (animate && from) slide(element, [from, ...between, place], duration);
      else if (animate) appear(element, step);
    }
    return { piece, element, drawn };
  });
  // What moves is seen above what lies still.
  for (const [index, { drawn, element }] of board.pieces.entries()) {
    if (same[index]?.way.length) drawn.layers.pieces.append(element);
  }
  for (const { element } of gone) {
    if (animate) vanish(element, step);
    else element.remove();
  }
  return gone.size ? Math.max(lasts, step) : lasts;
}

/**
 * Make an element look like a piece.
 * @param {SVGElement} element
 * @param {string} slug
 * @param {Piece} piece
 * @param {Piece | null} before  what it looked like
 */
function dress(element, slug, piece, before) {
  element.setAttribute("class", piece.owner === null ? "piece" : `piece owner-${piece.owner}`);
  element.dataset.at = piece.at;
  element.setAttribute("opacity", piece.extra || piece.faded ? FAINT : "1");
  if (before && before.symbol === piece.symbol && before.label === piece.label) return;
  element.replaceChildren(s("use", { href: `#${slug}-${piece.symbol}` }));
  if (piece.label) {
    const written = s("text", { "pointer-events": "none", ...LABEL, ...(style(slug, `label-${piece.symbol}`) ?? { dy: ".35em" }) });
    written.textContent = piece.label;
    element.append(written);
  }
}
