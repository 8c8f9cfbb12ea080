// The page of one's games: it is drawn by the house. What only this browser knows goes into the notebook
// first, and the page is fresh whenever one comes back to it. Where a notebook was erased, the browser
// forgets what it knew, too, but for how it shows things.
import { forgetPerson } from "./memory.js";
import { catchUp, keepAll } from "./notebook.js";
import { lang, say } from "./words.js";

if (document.querySelector("[data-erased]")) forgetPerson();
else keepAll().then((some) => { if (some) location.reload(); else catchUp(); });

// The house does not know the reader's time zone.
const times = new Intl.DateTimeFormat(lang, { weekday: "long", hour: "numeric", minute: "2-digit" });
const days = new Intl.DateTimeFormat(lang, { weekday: "long", day: "numeric", month: "long" });
for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
  const until = Number(time.dataset.until);
  const near = until - Date.now() < 6 * 24 * 3600 * 1000; // one week day is meant
  time.textContent = say("play-before", { when: (near ? times : days).format(until) });
}
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
