// The moves that were tried, variations within variations: every move is a button that leads there.
import { h } from "./dom.js";
import { say } from "./words.js";

/** @typedef {import("./variations.js").Variation} Variation */
/** @typedef {import("./variations.js").Variations} Variations */

/**
 * @param {HTMLElement} host
 * @param {Variations} tree
 * @param {(node: Variation) => void} go
 */
export function drawMoves(host, tree, go) {
  const focused = host.contains(document.activeElement);
  const start = h("button", {
    type: "button", class: "move start", "aria-current": tree.here === tree.root && "true", onclick: () => go(tree.root),
  }, say("an-start"));
  host.replaceChildren(start, ...following(tree, tree.root, 1, go));
  const current = /** @type {HTMLElement | null} */ (host.querySelector("[aria-current]"));
  if (focused) current?.focus();
  if (current) host.scrollTop = Math.max(0, current.offsetTop - host.offsetTop - host.clientHeight / 2);
}

/**
 * What follows a move: the first that was tried, then the others in brackets, and so on.
 * @param {Variations} tree
 * @param {Variation} node
 * @param {number} ply
 * @param {(node: Variation) => void} go
 * @returns {HTMLElement[]}
 */
function following(tree, node, ply, go) {
  const found = [];
  for (let at = node, number = ply; at.children.length; at = at.children[0], number += 1) {
    const [first, ...others] = at.children;
    found.push(button(tree, first, number, go));
    for (const other of others) {
      found.push(h("div", { class: "variation", role: "group", "aria-label": say("an-variation", { move: other.label }) },
        button(tree, other, number, go), ...following(tree, other, number + 1, go)));
    }
  }
  return found;
}

/**
 * @param {Variations} tree
 * @param {Variation} node
 * @param {number} ply
 * @param {(node: Variation) => void} go
 */
function button(tree, node, ply, go) {
  return h("button", {
    type: "button", class: "move", "aria-current": node === tree.here && "true", onclick: () => go(node),
  }, h("span", { class: "ply" }, `${ply}.`), ` ${node.label}`);
}
