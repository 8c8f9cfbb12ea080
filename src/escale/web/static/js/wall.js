// The wall of an evening: it follows the evening, and turns over lists that are too long for it.
import { follow, root } from "./evening_live.js";

const TURN = 9_000; // milliseconds that a part of a long list is shown
const BOARDS = 6; // boards that are shown at once
let turn = 0;

/** Show the part of each list whose turn it is. */
function show() {
  for (const list of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-turning]"))) {
    const items = /** @type {HTMLElement[]} */ ([...list.children]);
    for (const item of items) item.hidden = false;
    const space = list.clientHeight;
    const tall = items[0]?.getBoundingClientRect().height ?? 0;
    if (!tall || list.scrollHeight <= space + 1) continue;
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").filter((one) => one !== "none").length || 1;
    part(items, Math.max(1, Math.floor(space / tall)) * columns);
  }
  for (const boards of root.querySelectorAll("[data-turning-boards]")) part(/** @type {HTMLElement[]} */ ([...boards.children]), BOARDS);
}

/** Show one part of some things. @param {HTMLElement[]} items @param {number} most */
function part(items, most) {
  const parts = Math.ceil(items.length / most);
  const first = (turn % parts) * most;
  for (const [number, item] of items.entries()) item.hidden = number < first || number >= first + most;
}

setInterval(() => {
  turn += 1;
  show();
}, TURN);
root.addEventListener("replaced", show);
addEventListener("resize", show);
document.fonts?.ready.then(show);
show();
follow();
