// The page of one's games: it is drawn by the house. What only this browser knows goes into the notebook
// first, and the page is fresh whenever one comes back to it. Where a notebook was erased, the browser
// forgets what it knew, too, but for how it shows things.
import { forgetPerson } from "./memory.js";
import { catchUp, keepAll } from "./notebook.js";

if (document.querySelector("[data-erased]")) forgetPerson();
else keepAll().then((some) => { if (some) location.reload(); else catchUp(); });
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
