// Making elements. What people have written only ever becomes text, never markup.

export const SVG = "http://www.w3.org/2000/svg";

/** @typedef {string | Node | null | undefined | false} Child */

/**
 * An element of HTML. Names that begin with `on` are listeners, others attributes; `false`, `null`
 * and `undefined` leave an attribute out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/**
 * A drawing of the page's own icon sheet.
 * @param {string} name
 */
export function icon(name) {
  const drawing = s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
  drawing.append(s("use", { href: `#icon-${name}` }));
  return drawing;
}

/**
 * Show the element of that id on a condition, or else hide it.
 * @param {string} id
 * @param {boolean} condition
 */
export function showIf(id, condition) {
  need(id).hidden = !condition;
}

/**
 * The element of that id, which the page's template must have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function need(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}
