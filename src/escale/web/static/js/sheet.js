// The sheet beside the board, one pane at a time under tabs. Without room for it beside the board it lies
// over the board's lower half while it is open.
import { need } from "./dom.js";

const SWIPE_PIXELS = 40; // pixels downwards that close it

/** Whether there is room for it beside the board. */
const BESIDE = matchMedia("(min-width: 56rem) and (min-height: 30.01rem)");
const tabs = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-pane]")]);
/** What opened it, and has the focus again afterwards. @type {HTMLElement | null} */
let opener = null;

/** Let the sheet be opened and closed, its tabs tapped, and walked through with arrow keys. */
export function wireSheet() {
  const sheet = need("sheet");
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sheet]"))) {
    button.setAttribute("aria-controls", "sheet");
    button.addEventListener("click", () => {
      if (sheet.classList.contains("open")) return closeSheet();
      opener = button;
      openSheet(button.dataset.sheet || undefined);
      /** @type {HTMLElement | null} */ (sheet.querySelector("[aria-selected='true']"))?.focus();
    });
  }
  sheet.querySelector(".sheet-close")?.addEventListener("click", closeSheet);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !sheet.classList.contains("open") || BESIDE.matches) return;
    event.preventDefault();
    closeSheet();
  });
  sheet.querySelector(".pane-tabs")?.addEventListener("pointerdown", (event) => {
    const { clientY: from, pointerId } = /** @type {PointerEvent} */ (event);
    addEventListener("pointerup", (now) => {
      if (now.pointerId === pointerId && now.clientY - from > SWIPE_PIXELS) closeSheet();
    }, { once: true });
  });
  // A moment of the game that is chosen in the sheet is seen on the board.
  document.getElementById("log")?.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-ply] button")) closeSheet();
  });
  for (const tab of tabs()) {
    tab.addEventListener("click", () => openPane(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const all = tabs();
      const other = all[(all.indexOf(tab) + step + all.length) % all.length];
      openPane(other);
      other.focus();
    });
  }
  reflect();
}

/** Open the sheet, at a pane. @param {string} [pane] */
export function openSheet(pane) {
  const tab = pane ? need(`tab-${pane}`) : tabs().find((one) => one.ariaSelected === "true");
  if (tab) openPane(tab);
  need("sheet").classList.add("open");
  reflect();
}

export function closeSheet() {
  const sheet = need("sheet");
  if (!sheet.classList.contains("open")) return;
  const had = sheet.contains(document.activeElement);
  sheet.classList.remove("open");
  reflect();
  if (had && opener?.checkVisibility()) opener.focus();
}

/** Tell those who listen whether it is open. */
function reflect() {
  const open = String(need("sheet").classList.contains("open"));
  for (const button of document.querySelectorAll("[data-sheet]")) button.setAttribute("aria-expanded", open);
}

/** @param {HTMLElement} tab */
function openPane(tab) {
  for (const one of tabs()) {
    const now = one === tab;
    one.setAttribute("aria-selected", String(now));
    one.tabIndex = now ? 0 : -1;
    if (now) one.classList.remove("busy");
    const pane = need(`pane-${one.dataset.pane}`);
    pane.hidden = !now;
    if (now) pane.dispatchEvent(new Event("opened"));
  }
  document.getElementById("menu")?.classList.toggle("busy", document.querySelector(".pane-tabs .busy") !== null);
}
