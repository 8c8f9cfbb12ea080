// Fingers and mice on a board: a tap points at something, a press that moves on drags a piece.
import { transform } from "./animate.js";
import { hit, onScene } from "./hit.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./input.js").Input} Input */
/**
 * A piece that follows the finger, until it is put back in its place.
 * @typedef {{follow: (clientX: number, clientY: number) => void, putBack: () => void}} Lifted
 */

const DRAG_PIXELS = 8; // pixels after which a press is a drag

/**
 * Let a board be touched.
 * @param {Input} input
 */
export function takePointer(input) {
  /** Whether the click that is yet to come belongs to a drag. */
  let dragged = false;
  const { host } = input.board;
  host.addEventListener("pointerdown", (event) => {
    dragged = false;
    press(input, event, () => { dragged = true; });
  });
  /** @param {PointerEvent} event */
  const hover = ({ clientX, clientY }) => input.root && input.hover(hit(input.board, clientX, clientY).names);
  host.addEventListener("pointerdown", hover);
  host.addEventListener("pointermove", hover);
  host.addEventListener("pointerleave", () => input.hover([]));
  host.addEventListener("click", (event) => {
    if (dragged) dragged = false;
    else if (!(event.target instanceof Element && event.target.closest("button"))) pickAt(input, event);
  });
}

/**
 * @param {Input} input
 * @param {MouseEvent} event
 */
function pickAt(input, { clientX, clientY }) {
  const { names, near } = hit(input.board, clientX, clientY);
  input.pick(names, near([...input.next, ...input.places]));
}

/**
 * A piece is pressed that could be dragged: follow the finger until it is lifted again.
 * @param {Input} input
 * @param {PointerEvent} event
 * @param {() => void} dragging  called when the press has become a drag
 */
function press(input, event, dragging) {
  if (event.button !== 0 || !event.isPrimary || !input.root) return;
  const { board, next, root, path } = input;
  const { names } = hit(board, event.clientX, event.clientY);
  const atom = names.find((name) => next.includes(name))
    ?? names.find((name) => path.at(-1) === name || Object.hasOwn(root, name));
  if (!atom) return;
  /** @type {Lifted | null} */
  let lifted = null;
  const ends = new AbortController();
  /** @param {"pointermove" | "pointerup" | "pointercancel"} kind @param {(now: PointerEvent) => void} then */
  const on = (kind, then) => addEventListener(kind, (now) => {
    if (now.pointerId === event.pointerId) then(now);
  }, { signal: ends.signal });

  on("pointermove", (now) => {
    if (!lifted) {
      if (Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) < DRAG_PIXELS) return;
      lifted = lift(board, atom);
      if (!lifted) return ends.abort();
      dragging();
      if (input.path.at(-1) !== atom) {
        if (!input.next.includes(atom)) input.cancel();
        input.choose(atom);
      }
    }
    lifted.follow(now.clientX, now.clientY);
  });
  on("pointerup", (now) => {
    ends.abort();
    if (!lifted) return;
    lifted.putBack();
    const over = hit(board, now.clientX, now.clientY).names;
    if (over.includes(atom) && !over.some((name) => input.next.includes(name))) return;
    pickAt(input, now);
  });
  on("pointercancel", () => {
    ends.abort();
    lifted?.putBack();
    if (lifted) input.cancel();
  });
}

/**
 * Let a piece follow the finger; null where there is no such piece.
 * @param {Board} board
 * @param {string} atom
 * @returns {Lifted | null}
 */
function lift(board, atom) {
  const found = board.pieces.findLast(({ element, piece }) => element.dataset.atom === atom && !piece.extra);
  if (!found) return null;
  const { element, piece, drawn } = found;
  drawn.layers.pieces.append(element);
  element.classList.add("lifted");
  return {
    follow: (clientX, clientY) => {
      const { point } = onScene(drawn, clientX, clientY) ?? {};
      if (point) element.setAttribute("transform", transform(point.x, point.y, piece.facing));
    },
    putBack: () => {
      element.classList.remove("lifted");
      element.setAttribute("transform", transform(piece.x, piece.y, piece.facing));
    },
  };
}
