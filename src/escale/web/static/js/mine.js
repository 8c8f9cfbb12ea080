// The page of a person's games, which the house draws. The facts that only this browser knows are
// sent to the notebook first; the page is reloaded at each return. If a notebook was erased, the browser
// forgets its facts too, except its settings.
import { forgetPerson } from "./memory.js";
import { catchUp, keepAll } from "./notebook.js";
import { handOver } from "./taken_up.js";
import { lang, say } from "./words.js";

if (document.querySelector("[data-erased]")) forgetPerson();
else handOver().then(async (some) => { if ((await keepAll()) || some) location.reload(); else catchUp(); });

// The house does not know the reader's time zone.
const times = new Intl.DateTimeFormat(lang, { weekday: "long", hour: "numeric", minute: "2-digit" });
const days = new Intl.DateTimeFormat(lang, { weekday: "long", day: "numeric", month: "long" });
for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
  const until = Number(time.dataset.until);
  const near = until - Date.now() < 6 * 24 * 3600 * 1000; // the name of the week day is enough
  time.textContent = say("play-before", { when: (near ? times : days).format(until) });
}
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
