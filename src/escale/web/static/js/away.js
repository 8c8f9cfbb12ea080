// Without network: the boxes that were taken along, and the games that this device keeps.
import { h } from "./dom.js";
import { taken } from "./memory.js";
import { listHere, tablesHere } from "./taken_up.js";
import { address, block } from "./words.js";

/** @type {Record<string, string>} */
const titles = block("titles");

/** @param {string} part @param {Node} list */
function show(part, list) {
  const section = /** @type {HTMLElement | null} */ (document.querySelector(part));
  if (!section || !list.hasChildNodes()) return;
  section.append(list);
  section.hidden = false;
}

show("[data-taken]", h("ul", { class: "my-tables" }, ...Object.keys(taken()).map((game) =>
  h("li", { class: "my-table" }, h("a", { href: address(`/g/${game}`) }, h("img", { src: `${document.documentElement.dataset.base ?? ""}/cover/${game}.svg`, alt: "" }), h("b", {}, titles[game] ?? game))))));
tablesHere().then((tables) => show("[data-here]", listHere(tables, titles)));
