// What stands beside the board, one pane at a time under tabs.
import { need } from "./dom.js";

const tabs = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-pane]")]);

/** Let the tabs be tapped, and walked through with arrow keys. */
export function wirePanes() {
  for (const tab of tabs()) {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const all = tabs();
      const other = all[(all.indexOf(tab) + step + all.length) % all.length];
      open(other);
      other.focus();
    });
  }
}

/** @param {HTMLElement} tab */
function open(tab) {
  for (const one of tabs()) {
    const now = one === tab;
    one.setAttribute("aria-selected", String(now));
    one.tabIndex = now ? 0 : -1;
    if (now) one.classList.remove("busy");
    const pane = need(`pane-${one.dataset.pane}`);
    pane.hidden = !now;
    if (now) pane.dispatchEvent(new Event("opened"));
  }
}
