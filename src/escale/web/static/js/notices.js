// Passing remarks of the page, and questions before something that cannot be undone.
import { h, need } from "./dom.js";
import { say } from "./words.js";

const REMARK_MS = 4000; // milliseconds that a remark stays

/** @type {number | undefined} */
let timer;

/** Say something in passing. @param {string} text */
export function note(text) {
  const element = need("note");
  element.textContent = text;
  element.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { element.hidden = true; }, REMARK_MS);
}

/**
 * Ask before what cannot be undone.
 * @param {string} question
 * @param {() => void} then
 */
export function sure(question, then) {
  const dialog = /** @type {HTMLDialogElement} */ (need("sure"));
  dialog.replaceChildren(h("form", { method: "dialog" },
    h("p", {}, question),
    h("p", { class: "row" },
      h("button", { value: "yes", class: "main" }, say("yes")),
      h("button", { value: "no", autofocus: true }, say("no")))));
  dialog.onclose = () => { if (dialog.returnValue === "yes") then(); };
  dialog.returnValue = "no";
  dialog.showModal();
}
