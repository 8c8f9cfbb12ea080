// Draws scenes, in the same layers as render/svg.py, and lets pieces go where they go. It knows no
// game: drawings are the page's definitions `SLUG-NAME`, and what can be touched are names.
import { h, s } from "./dom.js";
import { drawing, fill, isOver, lit, litPlaces, shape } from "./marks.js";
import { moving, recognise } from "./motion.js";
import { atomOf, flip, inside, parts, room, spots, strip } from "./scene.js";
import { panelName } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Cell} Cell */
/** @typedef {import("./types.js").Panel} Panel */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./scene.js").Point} Point */
/**
 * One part of the scene, drawn by itself, with what scrolls it; `aim` is the point to keep in
 * sight when the frame, last so high, becomes higher or lower.
 * @typedef {{part: Panel, frame: HTMLElement, svg: SVGSVGElement,
 *   layers: Record<string, SVGElement>, aim: Point | null, high: number}} View
 */
/** @typedef {{piece: Piece, element: SVGElement, view: View}} Drawn */
/** @typedef {import("./marks.js").Marks} Marks */

const FAINT = "0.4";
const STEP = 240; // milliseconds from one place to the next
/** A finger reaches what is this near, in pixels. */
export const REACH = 22;
/** What a fingertip covers, in pixels. */
const FINGER = 44;
/** Cells below this width can be enlarged. */
const SMALL = 34;

export class Board {
  /**
   * @param {HTMLElement} host  where the board is drawn; what was in it goes
   * @param {string} slug  the game whose drawings the page defines
   */
  constructor(host, slug) {
    this.host = host;
    this.slug = slug;
    /** The scene as shown: turned, if the board is. @type {Scene | null} */
    this.scene = null;
    /** @type {Scene | null} */
    this.given = null;
    this.flipped = false;
    /** @type {View[]} */
    this.views = [];
    /** @type {Drawn[]} */
    this.pieces = [];
    /** @type {Map<string, SVGElement>} */
    this.cells = new Map();
    /** @type {Marks} */
    this.marks = { next: [], places: [], chosen: [], refused: [] };
    /** @type {Point | null} */
    this.cursor = null;
    /** Whether cells are shown at the size of a fingertip, though the whole may not fit. */
    this.zoomed = false;
    /** Whether cells are smaller than that, seen whole. */
    this.small = false;
    this.shown = "";
    this.tabs = h("div", { class: "panel-tabs", role: "tablist" });
    this.room = 50;
    host.replaceChildren();
    host.classList.add("drawn");
    new ResizeObserver(() => this.fit()).observe(host);
  }

  /** @param {string} name */
  has(name) {
    return document.getElementById(`${this.slug}-${name}`) !== null;
  }

  /**
   * Show a scene. Pieces that were there before go to their new places.
   * @param {Scene} scene
   * @param {{changes?: Change[], still?: boolean}} [how]  what happened; `still` lets nothing move
   * @returns {number}  how many milliseconds the eye needs to follow it, whether or not things move
   */
  draw(scene, { changes = [], still = false } = {}) {
    const before = this.scene;
    this.given = scene;
    this.scene = this.flipped ? flip(scene) : scene;
    if (!before || before.cells.length !== scene.cells.length) this.room = room(scene);
    this.arrange();
    const animate = !still && before !== null && moving() && !document.hidden;
    this.drawCells(animate);
    this.drawLabels();
    const lasts = this.drawPieces(changes, animate);
    this.drawMarks();
    return still || !before ? 0 : lasts;
  }

  /** Turn the board to its other side, or back. */
  turn() {
    this.flipped = !this.flipped;
    if (this.given) this.draw(this.given, { still: true });
  }

  /**
   * Light what can be chosen, the cells that stand for it, what has been, and what was refused.
   * @param {Partial<Marks>} marks
   */
  light(marks) {
    this.marks = { next: [], places: [], chosen: [], refused: [], ...marks };
    if (this.scene) this.drawMarks();
  }

  /**
   * Show where the keyboard is.
   * @param {Point | null} point
   */
  point(point) {
    this.cursor = point;
    this.drawMarks();
    if (!point) return;
    const view = this.viewOf(point);
    if (!view) return;
    this.show(view.part.id);
    this.scrollTo(view, point, "nearest");
  }

  // ---- parts ----

  /** One view for each part of the scene, kept as long as the parts are the same. */
  arrange() {
    const scene = /** @type {Scene} */ (this.scene);
    const now = parts(scene);
    const known = new Map(this.views.map((view) => [view.part.id, view]));
    const same = now.length === this.views.length && now.every((part) => known.has(part.id));
    if (!same) {
      this.pieces = [];
      this.cells.clear();
      this.views = now.map((part) => this.view(part));
      const big = this.views.filter((view) => !strip(view.part));
      this.tabs.replaceChildren(...big.map((view) => h("button", {
        type: "button", role: "tab", "data-panel": view.part.id, class: "panel-tab",
        onclick: () => this.show(view.part.id),
      }, panelName(view.part.id))));
      this.tabs.hidden = big.length < 2;
      this.host.replaceChildren(this.tabs, ...this.views.map((view) => view.frame));
      this.host.classList.toggle("panelled", this.views.length > 1);
      const front = big.find((view) => view.part.id === this.shown) ?? big[0];
      this.shown = "";
      this.show(front.part.id);
    }
    const turned = scene.flipped ? `rotate(180 ${scene.width / 2} ${scene.height / 2})` : "";
    for (const part of now) {
      const view = /** @type {View} */ (this.views.find((one) => one.part.id === part.id));
      const grown = Math.max(part.height, same ? view.part.height : 0);
      view.part = { ...part, height: grown };
      view.svg.setAttribute("viewBox", `${part.x} ${part.y} ${part.width} ${grown}`);
      view.layers.ground.firstElementChild?.setAttribute("transform", turned);
    }
    this.fit();
  }

  /**
   * @param {Panel} part
   * @returns {View}
   */
  view(part) {
    const svg = /** @type {SVGSVGElement} */ (s("svg", { "aria-hidden": "true", focusable: "false" }));
    /** @type {Record<string, SVGElement>} */
    const layers = {};
    for (const name of ["ground", "cells", "marks", "labels", "areas", "pieces", "over"]) {
      layers[name] = s("g", { class: name });
      svg.append(layers[name]);
    }
    for (const name of ["marks", "labels", "over"]) layers[name].setAttribute("pointer-events", "none");
    const style = this.style("label") ?? {};
    for (const [name, value] of Object.entries({ ...LABEL, ...style })) layers.labels.setAttribute(name, value);
    if (this.has("board")) {
      layers.ground.append(s("use", { class: "board", href: `#${this.slug}-board` }));
    }
    const frame = h("div", {
      class: strip(part) ? "panel strip" : "panel", "data-panel": part.id,
      ...(part.id && !strip(part) && { tabindex: 0, role: "group", "aria-label": panelName(part.id) }),
    }, svg);
    return { part, frame, svg, layers, aim: null, high: 0 };
  }

  /**
   * Bring a part of the scene to the front, where they do not all fit.
   * @param {string} id
   */
  show(id) {
    const view = this.views.find((one) => one.part.id === id);
    if (!view || strip(view.part)) return;
    const changed = this.shown !== id;
    this.shown = id;
    for (const one of this.views) one.frame.classList.toggle("shown", one.part.id === id);
    for (const tab of this.tabs.querySelectorAll("button")) {
      tab.setAttribute("aria-selected", String(tab.dataset.panel === id));
    }
    if (changed) {
      this.fit();
      const { focus } = view.part;
      if (focus) this.scrollTo(view, { x: focus[0], y: focus[1] }, "center");
    }
  }

  /** Bring the part in which most of these names are to the front. @param {string[]} names */
  showMost(names) {
    const scene = this.scene;
    if (!scene || this.views.length < 2) return;
    const points = names.flatMap((name) => spots(scene, name));
    let best = null;
    let most = 0;
    for (const view of this.views) {
      const count = points.filter((point) => inside(view.part, point)).length;
      if (count > most) [best, most] = [view, count];
    }
    if (!best || strip(best.part)) return;
    this.show(best.part.id);
    const seen = points.filter((point) => best && inside(best.part, point));
    const y = seen.reduce((sum, point) => sum + point.y, 0) / seen.length;
    this.scrollTo(best, { x: seen[0].x, y }, "nearest");
  }

  /**
   * @param {View} view
   * @param {Point} point
   * @param {"nearest" | "center"} how
   */
  scrollTo(view, point, how) {
    const { frame, part, svg } = view;
    view.aim = point;
    const scale = svg.clientWidth / part.width;
    const y = (point.y - part.y) * scale;
    const margin = Math.min(90, frame.clientHeight / 3);
    if (how === "nearest" && y > frame.scrollTop + margin && y < frame.scrollTop + frame.clientHeight - margin) return;
    frame.scrollTo({ top: y - frame.clientHeight / 2, behavior: moving() && how === "nearest" ? "smooth" : "instant" });
  }

  /** @param {boolean} large */
  zoom(large) {
    this.zoomed = large;
    this.fit();
  }

  /** Give every part its size: as large as its frame allows, and parts of a whole never too small. */
  fit() {
    const { scene } = this;
    if (!scene) return;
    const several = this.views.length > 1;
    const narrow = this.host.clientWidth < 640;
    this.host.classList.toggle("narrow", several && narrow);
    for (const view of this.views) {
      const { part, frame, svg } = view;
      if (several && narrow && !strip(part) && part.id !== this.shown) continue;
      const across = frame.clientWidth / part.width;
      const whole = strip(part) ? across : Math.min(across, frame.clientHeight / part.height);
      const cells = scene.cells.some((cell) => inside(part, cell));
      if (cells) this.small = whole * 2 * this.room < SMALL;
      let scale = whole;
      if (this.zoomed) scale = Math.max(whole, FINGER / (2 * this.room));
      else if (several && !strip(part)) {
        const least = cells ? 40 / (2 * this.room) : 0.42;
        scale = Math.min(across, Math.max(whole, least));
      }
      scale = Math.min(scale, strip(part) ? 1.1 : 1.6);
      svg.style.width = `${Math.floor(part.width * scale)}px`;
      svg.style.height = `${Math.floor(part.height * scale)}px`;
      if (view.aim && view.high !== frame.clientHeight) this.scrollTo(view, view.aim, "nearest");
      view.high = frame.clientHeight;
    }
    this.host.dispatchEvent(new Event("fitted"));
  }

  /** @param {Point} point */
  viewOf(point) {
    return this.views.find((view) => inside(view.part, point)) ?? null;
  }

  // ---- layers ----

  /** @param {boolean} animate */
  drawCells(animate) {
    const scene = /** @type {Scene} */ (this.scene);
    const left = new Set(this.cells.keys());
    for (const cell of scene.cells) {
      const key = `${cell.id}|${cell.extra}|${cell.symbol}`;
      const view = this.viewOf(cell);
      if (!view) continue;
      left.delete(key);
      let element = this.cells.get(key);
      const place = transform(cell.x, cell.y, scene.flipped ? 180 : 0);
      if (!element) {
        element = this.cell(cell);
        view.layers.cells.append(element);
        this.cells.set(key, element);
      } else if (element.localName !== "use") {
        if (element.dataset.place !== place) {
          const fresh = this.cell(cell);
          element.replaceWith(fresh);
          this.cells.set(key, fresh);
          element = fresh;
        }
      } else if (element.dataset.place !== place) {
        if (animate) slide(element, [String(element.dataset.place), place], STEP);
        element.setAttribute("transform", place);
      }
      element.dataset.place = place;
    }
    for (const key of left) {
      this.cells.get(key)?.remove();
      this.cells.delete(key);
    }
    for (const view of this.views) {
      view.layers.areas.replaceChildren(...scene.areas.flatMap((area) => {
        const across = area.spots.map((spot) => spot[0]);
        const down = area.spots.map((spot) => spot[1]);
        const [x, y] = [Math.min(...across) - 25, Math.min(...down) - 25];
        if (!inside(view.part, { x: x + 25, y: y + 25 })) return [];
        return [s("rect", {
          class: "area", "data-at": area.id, fill: "none", x, y,
          width: Math.max(...across) + 25 - x, height: Math.max(...down) + 25 - y,
        })];
      }));
    }
  }

  /** @param {Cell} cell */
  cell(cell) {
    const scene = /** @type {Scene} */ (this.scene);
    const common = { class: "cell", "data-at": cell.id, ...(cell.extra && { opacity: FAINT }) };
    for (const name of [cell.symbol, `cell-${cell.id}`, "cell"]) {
      if (name && this.has(name)) {
        const place = transform(cell.x, cell.y, scene.flipped ? 180 : 0);
        return s("use", { ...common, href: `#${this.slug}-${name}`, transform: place });
      }
    }
    return shape(cell, 20, { ...common, fill: "#fff", "fill-opacity": ".2", stroke: "#444" });
  }

  drawLabels() {
    const scene = /** @type {Scene} */ (this.scene);
    for (const view of this.views) {
      view.layers.labels.replaceChildren(...scene.labels.flatMap(([x, y, words, style]) => {
        if (!inside(view.part, { x, y })) return [];
        const look = style === "label" ? {} : { class: style, ...this.style(style) };
        const label = s("text", { x, y, dy: ".35em", ...look });
        label.textContent = words;
        return [label];
      }));
    }
  }

  /**
   * How the art wants some labels written: the attributes of its empty `<text>`.
   * @param {string} name
   * @returns {Record<string, string> | null}
   */
  style(name) {
    const text = document.getElementById(`${this.slug}-${name}`);
    if (text?.localName !== "text") return null;
    return Object.fromEntries([...text.attributes].filter((one) => one.name !== "id").map((one) => [one.name, one.value]));
  }

  /**
   * @param {Change[]} changes
   * @param {boolean} animate
   * @returns {number}  how long the longest way takes
   */
  drawPieces(changes, animate) {
    const scene = /** @type {Scene} */ (this.scene);
    const before = this.pieces;
    const now = scene.pieces.filter((piece) => this.viewOf(piece));
    const same = recognise(before.map((drawn) => drawn.piece), now, changes);
    const gone = new Set(before);
    let lasts = 0;
    this.pieces = now.map((piece, index) => {
      const view = /** @type {View} */ (this.viewOf(piece));
      const old = same[index] ? before[same[index].before] : null;
      const stays = old?.view === view;
      if (old) gone.delete(old);
      if (old && !stays) old.element.remove();
      const element = stays ? old.element : s("g");
      this.dress(element, piece, stays ? old.piece : null);
      const place = transform(piece.x, piece.y, piece.facing);
      element.setAttribute("transform", place);
      view.layers.pieces.append(element); // in the scene's order: later ones lie above
      const from = stays ? transform(old.piece.x, old.piece.y, old.piece.facing) : "";
      if (from !== place) {
        const between = (same[index]?.way ?? []).slice(1, -1).flatMap((at) => {
          const cell = scene.cells.find((one) => one.id === at && !one.extra);
          return cell ? [transform(cell.x, cell.y, piece.facing)] : [];
        });
        const duration = from ? STEP * (1 + between.length) : STEP;
        lasts = Math.max(lasts, duration);
        if (animate && from) slide(element, [from, ...between, place], duration);
        else if (animate) appear(element);
      }
      return { piece, element, view };
    });
    // What moves is seen above what lies still.
    for (const [index, drawn] of this.pieces.entries()) {
      if (same[index]?.way.length) drawn.view.layers.pieces.append(drawn.element);
    }
    for (const drawn of gone) {
      if (animate) vanish(drawn.element);
      else drawn.element.remove();
    }
    return gone.size ? Math.max(lasts, STEP) : lasts;
  }

  /**
   * Make an element look like a piece.
   * @param {SVGElement} element
   * @param {Piece} piece
   * @param {Piece | null} before
   */
  dress(element, piece, before) {
    element.setAttribute("class", piece.owner === null ? "piece" : `piece owner-${piece.owner}`);
    element.dataset.at = piece.at;
    element.dataset.atom = atomOf(/** @type {Scene} */ (this.scene), piece);
    element.setAttribute("opacity", piece.extra || piece.faded ? FAINT : "1");
    if (before && before.symbol === piece.symbol && before.label === piece.label) return;
    element.replaceChildren(s("use", { href: `#${this.slug}-${piece.symbol}` }));
    if (piece.label) {
      const style = this.style(`label-${piece.symbol}`) ?? { dy: ".35em" };
      const written = s("text", { "pointer-events": "none", ...LABEL, ...style });
      written.textContent = piece.label;
      element.append(written);
    }
  }

  drawMarks() {
    const scene = /** @type {Scene} */ (this.scene);
    const all = lit(scene, this.marks, this.room);
    const places = litPlaces(scene, this.marks, this.room);
    for (const view of this.views) {
      const here = all.filter((mark) => this.viewOf(mark.point) === view);
      const over = here.filter(isOver).map(drawing);
      const { cursor } = this;
      if (cursor && this.viewOf(cursor) === view) {
        const r = Math.max(38, this.room);
        over.push([`cursor ${cursor.x} ${cursor.y}`, () => s("circle", { class: "cursor", r, cx: cursor.x, cy: cursor.y })]);
      }
      const under = places.filter(({ point }) => this.viewOf(point) === view).map((place) => place.drawing);
      fill(view.layers.marks, [...under, ...here.filter((mark) => !isOver(mark)).map(drawing)]);
      fill(view.layers.over, over);
    }
    for (const { element, piece } of this.pieces) {
      element.classList.toggle("live", this.marks.next.includes(element.dataset.atom ?? "") && !piece.extra);
    }
    for (const tab of this.tabs.querySelectorAll("button")) {
      const view = this.views.find((one) => one.part.id === tab.dataset.panel);
      const here = view && this.marks.next.some((at) => spots(scene, at).some((point) => inside(view.part, point)));
      tab.classList.toggle("busy", Boolean(here));
    }
  }

  // ---- fingers ----

  /**
   * What is at a point of the screen: the names there, uppermost first, and the nearest of some
   * names that a finger would reach from it.
   * @param {number} clientX
   * @param {number} clientY
   */
  at(clientX, clientY) {
    const scene = this.scene;
    const view = this.views.find(({ frame }) => {
      const box = frame.getBoundingClientRect();
      return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
    });
    const matrix = view?.svg.getScreenCTM();
    if (!scene || !view || !matrix) return { names: /** @type {string[]} */ ([]), near: () => null };
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    const scale = matrix.a;
    /** @param {Point} point */
    const distance = (point) => Math.hypot(point.x - x, point.y - y);
    return {
      names: under(scene, { x, y }, this.room),
      /** @param {Iterable<string>} names @returns {string | null} */
      near: (names) => {
        let best = null;
        let least = REACH / scale;
        for (const name of names) {
          for (const point of spots(scene, name)) {
            if (distance(point) < least) [best, least] = [name, distance(point)];
          }
        }
        return best;
      },
    };
  }

  /**
   * Let a piece follow the finger. Returns what ends it, or null where there is no such piece.
   * @param {string} atom
   * @returns {{to: (clientX: number, clientY: number) => void, drop: () => void} | null}
   */
  lift(atom) {
    const drawn = this.pieces.findLast((one) => one.element.dataset.atom === atom && !one.piece.extra);
    if (!drawn) return null;
    const { element, piece, view } = drawn;
    view.layers.pieces.append(element);
    element.classList.add("lifted");
    return {
      to: (clientX, clientY) => {
        const matrix = view.svg.getScreenCTM();
        if (!matrix) return;
        const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
        element.setAttribute("transform", transform(x, y, piece.facing));
      },
      drop: () => {
        element.classList.remove("lifted");
        element.setAttribute("transform", transform(piece.x, piece.y, piece.facing));
      },
    };
  }
}

/** Labels, where a game's art does not say otherwise: as in render/svg.py. */
const LABEL = { "text-anchor": "middle", fill: "#444", "font-family": "sans-serif", "font-size": "20" };

/**
 * The names at a point of a scene, uppermost first.
 * @param {Scene} scene
 * @param {Point} point
 * @param {number} radius  of a cell without an outline
 * @returns {string[]}
 */
function under(scene, point, radius) {
  /** @type {(one: Point) => number} */
  const distance = (one) => Math.hypot(one.x - point.x, one.y - point.y);
  /** @template {Point} T @param {T[]} all */
  const nearest = (all) => all.sort((a, b) => distance(a) - distance(b))[0];
  const card = nearest(scene.pieces.filter((piece) => piece.atom && distance(piece) < 55));
  const cell = nearest(scene.cells.filter((one) => (one.outline.length ? within(one.outline, point) : distance(one) < Math.max(25, radius))));
  const area = scene.areas.find((one) => one.spots.some(([x, y]) => Math.abs(x - point.x) < 30 && Math.abs(y - point.y) < 30));
  const piece = nearest(scene.pieces.filter((one) => distance(one) < 45));
  const names = [card?.atom, cell?.id, area?.atom, piece && atomOf(scene, piece)];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/**
 * Whether a point lies in a polygon.
 * @param {[number, number][]} outline
 * @param {Point} point
 */
function within(outline, { x, y }) {
  let odd = false;
  outline.forEach(([ax, ay], index) => {
    const [bx, by] = outline.at(index - 1) ?? [0, 0];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  });
  return odd;
}

/** @param {number} x @param {number} y @param {number | null} [facing] */
function transform(x, y, facing = 0) {
  return `translate(${x} ${y})${facing ? ` rotate(${facing})` : ""}`;
}

/** The same as a style, whose functions want units. @param {string} place */
function asStyle(place) {
  return place.replace(/translate\((\S+) (\S+)\)/, "translate($1px, $2px)").replace(/rotate\((\S+)\)/, "rotate($1deg)");
}

/**
 * @param {SVGElement} element
 * @param {string[]} places
 * @param {number} duration
 */
function slide(element, places, duration) {
  // Each place needs as many functions as the others, or the way between two is not straight.
  const frames = places.map((place) => ({ transform: asStyle(place.includes("rotate") ? place : `${place} rotate(0)`) }));
  element.animate(frames, { duration, easing: "ease-in-out" });
}

/** @param {SVGElement} element */
function appear(element) {
  element.animate([{ opacity: 0 }, {}], { duration: STEP });
}

/** @param {SVGElement} element */
function vanish(element) {
  element.animate([{}, { opacity: 0 }], { duration: STEP }).onfinish = () => element.remove();
}
