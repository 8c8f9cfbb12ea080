// The pages of an evening follow it: the house says that something has changed, and the browser
// fetches the page again, as the house draws it, and replaces its parts.
import { ask } from "./ask.js";

const WAIT = 25; // seconds that the house may keep a request until something changes
const PAUSE = 3_000; // milliseconds after a request that failed

export const root = /** @type {HTMLElement} */ (document.getElementById("evening"));
/** How far this device's clock is ahead of the house's, in milliseconds. */
const ahead = Date.now() - Number(root.dataset.now);

/** Counts the forms that were answered: a page that was asked for before is out of date. */
let answers = 0;

/** Whether somebody is typing or choosing in a part of the page. @param {Element} part */
function inUse(part) {
  const active = document.activeElement;
  return active !== null && part.contains(active) && active.matches("input:not([type=hidden]), select, textarea");
}

/**
 * Put the parts of a page that was fetched in the place of the old ones. What is open stays open, the
 * focus stays where it was, and a part in which somebody is writing stays as it is.
 * @param {string} html
 * @param {boolean} all  also parts in use
 */
function replace(html, all = false) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.getElementById("evening");
  if (!fresh) return false;
  const focus = document.activeElement;
  const sent = focus?.closest("form")?.querySelector("button[value]")?.getAttribute("value");
  const open = new Map([...root.querySelectorAll("details[id]")].map((one) => [one.id, one.hasAttribute("open")]));
  const parts = [...fresh.querySelectorAll("[data-live]")];
  const ids = new Set(parts.map((part) => part.id));
  for (const part of parts) {
    const old = document.getElementById(part.id);
    if (!old) root.append(part);
    else if (all || !inUse(old)) old.replaceWith(part);
  }
  for (const part of root.querySelectorAll("[data-live]")) {
    if (!ids.has(part.id)) part.remove();
  }
  for (const [id, was] of open) document.getElementById(id)?.toggleAttribute("open", was);
  root.dataset.version = fresh.dataset.version;
  if (sent && !document.contains(focus)) {
    /** @type {HTMLElement | null} */ (root.querySelector(`#evening-now button[value="${sent}"]`) ?? root.querySelector("#evening-now button, #evening-now a"))?.focus();
  }
  drawTimes();
  root.dispatchEvent(new Event("replaced"));
  return true;
}

/** Draw the time that is left wherever it is shown. */
function drawTimes() {
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-ends]"))) {
    const left = Math.max(0, Number(time.dataset.ends) - (Date.now() - ahead));
    const seconds = Math.ceil(left / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (time.textContent !== text) time.textContent = text;
    time.classList.toggle("up", left === 0);
  }
}

/** Show the page that answers a form. @param {string} html */
export function showAnswer(html) {
  answers += 1;
  return replace(html, true);
}

/** Fetch the page as it is now. */
async function fetchPage() {
  const before = answers;
  const answer = await fetch(location.pathname + location.search);
  const html = await answer.text();
  if (answer.status === 404) location.reload();
  if (before !== answers) await fetchPage(); // a form was answered meanwhile
  else if (answer.ok) replace(html);
}

/** Follow the evening until the page is left. */
export async function follow() {
  drawTimes();
  setInterval(drawTimes, 500);
  for (;;) {
    try {
      const { version } = await ask(`/api/evenings/${root.dataset.evening}?since=${root.dataset.version}&wait=${WAIT}`);
      if (version !== root.dataset.version) {
        root.dataset.version = version; // also where a part in use was not replaced
        await fetchPage();
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}
