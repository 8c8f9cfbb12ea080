// The page of a person's games, which the house draws. The facts that only this browser knows are
// sent to the notebook first; the page is reloaded at each return. If a notebook was erased, the browser
// forgets its facts too, except its settings.
import { forgetPerson } from "./memory.js";
import { catchUp, keepAll } from "./notebook.js";
import { handOver } from "./taken_up.js";
import { playBefore } from "./words.js";

if (document.querySelector("[data-erased]")) forgetPerson();
else handOver().then(async (some) => { if ((await keepAll()) || some) location.reload(); else catchUp(); });

for (const time of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-until]"))) {
  time.textContent = playBefore(Number(time.dataset.until));
}
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
