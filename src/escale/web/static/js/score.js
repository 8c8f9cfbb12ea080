// The score sheet: printed, and shown as the seat sees it that this browser holds.
import { headers } from "./ask.js";
import { h } from "./dom.js";
import { seats } from "./memory.js";

const sheet = /** @type {HTMLElement} */ (document.querySelector("[data-score]"));
const id = sheet.dataset.score ?? "";
const token = seats()[id]?.token;

/** The same page with a token: in games with hidden cards it shows the seat's own. */
async function own() {
  const answer = await fetch(location.href, { headers: headers(token) }).catch(() => null);
  if (!answer?.ok) return; // what spectators see stands
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = page.querySelector("[data-score]");
  if (found) sheet.replaceChildren(...found.childNodes);
}

/** The transcript as a file: an address cannot carry the token. @param {Event} event */
async function save(event) {
  if (!token) return;
  event.preventDefault();
  const answer = await fetch(`/api/tables/${id}/transcript`, { headers: headers(token) }).catch(() => null);
  if (!answer?.ok) return;
  const link = h("a", { href: URL.createObjectURL(await answer.blob()), download: `${sheet.dataset.game}-${id}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

document.querySelector("[data-print]")?.addEventListener("click", () => print());
document.querySelector("[data-transcript]")?.addEventListener("click", save);
if (token) own();
