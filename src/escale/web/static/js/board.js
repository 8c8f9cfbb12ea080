// A board on a page: its state, and the few methods that change it. It knows no game: drawings are
// the page's definitions `SLUG-NAME`, and places are names. The modules beside it are functions
// over this state: panels.js arranges, draw.js and marks.js draw, hit.js finds.
import { STEP, moving } from "./animate.js";
import { drawCells, drawLabels, drawPieces } from "./draw.js";
import { NONE, drawMarks } from "./marks.js";
import { arrange, enlarge, fit, scrollTo, showMost } from "./panels.js";
import { closer, inside, quartersFor, room, turned } from "./scene.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./draw.js").DrawnPiece} DrawnPiece */
/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {import("./panels.js").DrawnPanel} DrawnPanel */
/** @typedef {import("./scene.js").Point} Point */
/** @typedef {import("./types.js").ShownMove} ShownMove */

export class Board {
  /**
   * @param {HTMLElement} host
   * @param {string} slug
   */
  constructor(host, slug) {
    /** The element that the board fills; what was in it goes. */
    this.host = host;
    /** The game whose drawings the page defines. */
    this.slug = slug;
    /** The scene as it was given; null before the first. @type {Scene | null} */
    this.given = null;
    /** The scene as it is shown: turned, if the board is. @type {Scene | null} */
    this.scene = null;
    /** Whether the board is seen from its other side. */
    this.flipped = false;
    /** The names that are lit, and why. @type {Marks} */
    this.marks = NONE;
    /** The moves that are pointed out, the best first. @type {ShownMove[]} */
    this.shown = [];
    /** Where the keyboard is; null where it is nowhere. @type {Point | null} */
    this.cursor = null;
    /** How many milliseconds things take from one place to the next, as they are drawn. */
    this.step = STEP;
    /** The radius around each cell in which there is no other, in units of the scene. */
    this.room = 50;
    /** The panels of the scene, as they are drawn. @type {DrawnPanel[]} */
    this.panels = [];
    /** Whether the board is enlarged among several panels. */
    this.front = false;
    /** Whether cells are shown at the size of a fingertip, though the whole may not fit. */
    this.zoomed = false;
    /** Whether cells are smaller than that when the whole is seen. */
    this.small = false;
    /** The drawn cells, by what makes two of them the same. @type {Map<string, SVGElement>} */
    this.cells = new Map();
    /** The drawn pieces, in the order of the scene. @type {DrawnPiece[]} */
    this.pieces = [];
    host.replaceChildren();
    host.classList.add("drawn");
    new ResizeObserver(() => this.resize()).observe(host);
  }

  /** The board has another size: a ring may show more of itself, or less. */
  resize() {
    const { given, scene } = this;
    const shown = given && this.shownAs(given);
    if (shown && (shown.width !== scene?.width || shown.quarters !== scene.quarters)) this.draw(given, { still: true });
    else fit(this);
  }

  /** A scene as it is shown here. @param {Scene} scene */
  shownAs(scene) {
    const { clientWidth, clientHeight } = this.host;
    const frame = { width: clientWidth, height: clientHeight };
    return closer(turned(scene, ((this.flipped ? 2 : 0) + quartersFor(scene, frame)) % 4), frame);
  }

  /**
   * Show a scene. Pieces that were there before go to their new places.
   * @param {Scene} scene
   * @param {{changes?: Change[], still?: boolean, step?: number}} [how]  what happened; `still` lets
   *   nothing move; `step` is the time from one place to the next
   * @returns {number}  how many milliseconds the eye needs to follow it, whether or not things move
   */
  draw(scene, { changes = [], still = false, step = STEP } = {}) {
    const before = this.scene;
    this.step = step;
    this.given = scene;
    this.scene = this.shownAs(scene);
    if (!before || before.cells.length !== scene.cells.length) this.room = room(this.scene);
    arrange(this, this.scene);
    const same = before?.quarters === this.scene.quarters && before.width === this.scene.width; // turning hides the ways of pieces
    const animate = !still && step > 0 && same && moving() && !document.hidden;
    drawCells(this, this.scene, animate);
    drawLabels(this, this.scene);
    const lasts = drawPieces(this, this.scene, changes, animate);
    drawMarks(this);
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
    this.marks = { ...NONE, ...marks };
    drawMarks(this);
  }

  /**
   * Point moves out, whatever is lit.
   * @param {ShownMove[]} moves  the best first
   */
  pointOut(moves) {
    this.shown = moves;
    drawMarks(this);
  }

  /**
   * Show where the keyboard is.
   * @param {Point | null} point
   */
  point(point) {
    this.cursor = point;
    drawMarks(this);
    const drawn = point && this.panelAt(point);
    if (!drawn) return;
    enlarge(this, drawn.panel.kind === "board");
    scrollTo(drawn, [point]);
  }

  /**
   * Show where most of these names are.
   * @param {string[]} names
   */
  showMost(names) {
    showMost(this, names);
  }

  /**
   * Show cells at the size of a fingertip, or the whole.
   * @param {boolean} large
   */
  zoom(large) {
    this.zoomed = large;
    this.host.classList.toggle("zoomed", large);
    this.resize();
  }

  /**
   * The panel in which a point of the scene lies.
   * @param {Point} point
   */
  panelAt(point) {
    return this.panels.find(({ panel }) => inside(panel, point)) ?? null;
  }
}
