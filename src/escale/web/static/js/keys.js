// The keyboard on a board: arrows go from place to place, Enter points at one, Escape gives up.
import { everything, mainSpot, towards } from "./scene.js";
import { say } from "./words.js";

/** @typedef {import("./input.js").Input} Input */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Keys {
  /** @param {Input} input */
  constructor(input) {
    this.input = input;
    /** The name that the keyboard is at. @type {string | null} */
    this.cursor = null;
    const { host } = input.board;
    host.addEventListener("keydown", (event) => this.press(event));
    host.addEventListener("blur", () => this.pointAt(null));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { input } = this;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("button")) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.step(arrow, event.shiftKey);
    else if (event.key === "Enter" || event.key === " ") this.enter();
    else if (event.key === "Escape") {
      if (!input.cancel()) return;
    } else if (event.key === "Backspace" && input.path.length) input.back();
    else if (/^[\p{L}\p{N}]$/u.test(event.key) && input.root) input.handlers.type(event.key);
    else return;
    event.preventDefault();
  }

  /** @param {string | null} name */
  pointAt(name) {
    const { board, handlers } = this.input;
    this.cursor = name;
    board.point(board.scene && mainSpot(board.scene, name));
    this.input.hover(name === null ? [] : [name]);
    handlers.point(name, name === null ? [] : this.input.meant(name));
  }

  /**
   * Go to the nearest place in a direction: among those that may be chosen, or, where nothing may
   * or with the Shift key, among all there are.
   * @param {[number, number]} arrow
   * @param {boolean} anywhere
   */
  step([dx, dy], anywhere) {
    const { board, next, places } = this.input;
    const { scene } = board;
    if (!scene) return;
    const all = everything(scene);
    const legal = [...next, ...places].filter((name) => all.has(name));
    const names = anywhere || !legal.length ? [...all.keys()] : legal;
    const points = names.flatMap((name) => (all.get(name) ?? []).filter((point) => !point.extra).map(({ x, y }) => ({ name, x, y })));
    // If all choices are buttons, the arrows walk along these.
    if (!anywhere && next.length && !legal.length) return void board.host.dispatchEvent(new Event("walk"));
    const here = mainSpot(scene, this.cursor);
    // At the end of a row one goes around, to its other end; at the upper and lower edge that is said.
    const around = here && dx ? { x: here.x - 2 * scene.width * dx, y: here.y } : null;
    const goal = here ? towards(here, points, dx, dy) ?? (around && towards(around, points, dx, dy)) : points[0];
    if (goal && goal.name !== this.cursor) return this.pointAt(goal.name);
    const pointed = document.getElementById("pointed");
    if (pointed && here) pointed.textContent = say("edge", { place: pointed.textContent?.split(" · ")[0] ?? "" });
  }

  /** Point at what the keyboard is at, or send the move that waits. What is chosen already stays. */
  enter() {
    const { input, cursor } = this;
    if (input.ready !== null) return input.confirm();
    if (cursor === null) return this.step([0, 0], false);
    if (input.path.includes(cursor) && !input.meant(cursor).length) return;
    input.pick([cursor], null);
  }
}
