// Movement on a board. All of it ends by itself, and the element is already where it will be.

/** Milliseconds from one place to the next, at the usual speed. */
export const STEP = 240;

/** Whether the reader wants things to move. */
export function moving() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * A place on the board as an attribute.
 * @param {number} x
 * @param {number} y
 * @param {number | null} [facing]  in degrees
 */
export function transform(x, y, facing = 0) {
  return `translate(${x} ${y})${facing ? ` rotate(${facing})` : ""}`;
}

/** The same as a style, whose functions want units. @param {string} place */
function asStyle(place) {
  return place.replace(/translate\((\S+) (\S+)\)/, "translate($1px, $2px)").replace(/rotate\((\S+)\)/, "rotate($1deg)");
}

/**
 * Let an element be seen to go from place to place.
 * @param {SVGElement} element
 * @param {string[]} places  as `transform` writes them
 * @param {number} duration  in milliseconds
 */
export function slide(element, places, duration) {
  // Each place needs as many functions as the others, or the way between two is not straight.
  const frames = places.map((place) => ({ transform: asStyle(place.includes("rotate") ? place : `${place} rotate(0)`) }));
  element.animate(frames, { duration, easing: "ease-in-out" });
}

/**
 * @param {SVGElement} element
 * @param {number} duration
 */
export function appear(element, duration) {
  element.animate([{ opacity: 0 }, {}], { duration });
}

/**
 * Let an element fade, then remove it.
 * @param {SVGElement} element
 * @param {number} duration
 */
export function vanish(element, duration) {
  element.animate([{}, { opacity: 0 }], { duration }).onfinish = () => element.remove();
}
