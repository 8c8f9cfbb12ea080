// Who leaves a table with a clock of days is asked once whether to be told of the next turn: at the right
// moment, with a way that works on this device. Also the switch for one table, and the friendly reminder.
import { askForPush, pushState, setRinging, ringing } from "./alerts.js";
import { ask } from "./ask.js";
import { h, need, showIf } from "./dom.js";
import { keepSetting, setting } from "./memory.js";
import { note } from "./notices.js";
import { address, say } from "./words.js";

/** @typedef {import("./types.js").NoticeFacts} NoticeFacts */
/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export async function wireLeaving(table) {
  /** @type {NoticeFacts} */
  const facts = await ask(`/api/notebook/notices?table=${table.id}`);
  const asked = () => facts.endpoints.length > 0 || ringing() || setting("left");
  wireQuiet(table, facts);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const leaves = link && link.origin === location.origin && link.pathname !== location.pathname && link.target !== "_blank" && !link.pathname.endsWith("/rules");
    if (!leaves || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (asked() || !waits(table)) return;
    event.preventDefault();
    void question(facts, link.href);
  });
}

/** Whether the reader's next turn may be days away. @param {Table} table */
function waits({ state }) {
  return state?.clock?.kind === "days" && state.you.seats.length > 0 && !state.outcome;
}

/**
 * @param {NoticeFacts} facts
 * @param {string} there  where the reader was going
 */
async function question(facts, there) {
  const dialog = /** @type {HTMLDialogElement} */ (need("sure"));
  const state = await pushState(facts.push_key);
  keepSetting("left", true); // once
  const go = () => location.assign(there);
  const push = state === "possible"
    ? h("button", { type: "button", class: "main", onclick: async () => { note(say(await askForPush(facts.push_key) ? "push-done" : "push-failed")); go(); } }, say("leaving-push"))
    : h("button", { type: "button", class: "main", onclick: () => { setRinging(true); go(); } }, say("ring"));
  const why = state === "insecure" ? say("push-insecure") : state === "home" ? say("push-home") : "";
  dialog.replaceChildren(
    h("p", {}, say("leaving")), why && h("p", { class: "soft small" }, why),
    h("p", { class: "column" }, push,
      h("a", { class: "button", href: `${address("/notebook")}#notices` }, say("leaving-other")),
      h("button", { type: "button", onclick: go }, say("leaving-no"))));
  dialog.onclose = null;
  dialog.showModal();
}

/**
 * @param {Table} table
 * @param {NoticeFacts} facts
 */
function wireQuiet(table, facts) {
  const button = need("told-of-this");
  let { quiet } = facts;
  const show = () => button.setAttribute("aria-pressed", String(!quiet));
  showIf("told-of-this", facts.endpoints.length > 0);
  show();
  button.addEventListener("click", () => {
    quiet = !quiet;
    show();
    ask(`/api/notebook/notices/${table.id}/quiet`, { body: { quiet } }).catch(() => note(say("failed")));
  });
}
