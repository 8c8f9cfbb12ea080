// The lobby follows all changes: the house answers when the list has changed, and the browser fetches it,
// drawn by the house. Sitting down gives this browser's own value to the fair random.
import { ask, random } from "./ask.js";
import { keepName, name } from "./memory.js";
import { sound } from "./sound.js";
import { address } from "./words.js";

const WAIT = 25; // seconds that the house may keep a request until something changes
const PAUSE = 5_000; // milliseconds after a request that failed

const list = /** @type {HTMLElement} */ (document.getElementById("lobby-tables"));

/** Show the list as the house draws it now; the focused element keeps the focus. */
async function fetchList() {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("lobby-tables");
  if (!fresh) return;
  const focus = document.activeElement?.id;
  const before = list.querySelectorAll(".waiting").length;
  list.replaceChildren(...fresh.childNodes);
  list.dataset.version = fresh.dataset.version;
  if (focus) document.getElementById(focus)?.focus();
  if (list.querySelectorAll(".waiting").length > before) sound("word");
}

async function follow() {
  for (;;) {
    try {
      const { version } = await ask(`/api/lobby?since=${list.dataset.version}&wait=${WAIT}`);
      if (version !== list.dataset.version) await fetchList();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

list.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { table, seat } = form.dataset;
  if (!table) return;
  event.preventDefault();
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("lobby-name"));
  const called = field?.value.trim() || name();
  try {
    const { token } = await ask(`/api/tables/${table}/seats/${seat}`, { body: { name: called || field?.placeholder || "", value: random(16), id: random(16) } });
    location.assign(`${address(`/t/${table}`)}#seat=${token}`);
  } catch {
    form.submit(); // the house shows the reason
  }
});

const field = /** @type {HTMLInputElement | null} */ (document.getElementById("lobby-name"));
if (field) {
  field.value ||= name();
  field.addEventListener("change", () => keepName(field.value.trim()));
}
follow();
