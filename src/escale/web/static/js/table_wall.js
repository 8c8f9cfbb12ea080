// A table on a big screen. It asks without cookies: who stands before the screen sees what spectators see,
// also where this browser holds a seat.
const WAIT = 25; // seconds that the house may keep a request until something happens
const PAUSE = 3_000; // milliseconds after a request that failed
const root = /** @type {HTMLElement} */ (document.getElementById("table-wall"));
/** When the page was last drawn. */
let drawn = performance.now();

async function fetchPage() {
  const answer = await fetch(location.pathname + location.search, { credentials: "omit" });
  if (answer.status === 404) location.reload();
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("table-wall");
  if (!fresh) return;
  root.replaceChildren(...fresh.childNodes);
  root.dataset.n = fresh.dataset.n;
  drawn = performance.now();
}

function drawClocks() {
  for (const time of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-left][data-runs]"))) {
    const seconds = Math.ceil(Math.max(0, Number(time.dataset.left) - (performance.now() - drawn)) / 1000);
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

async function follow() {
  for (;;) {
    try {
      const path = `/api/tables/${root.dataset.table}/events?since=${root.dataset.n}&wait=${WAIT}`;
      const answer = await fetch(path, { credentials: "omit" });
      if (!answer.ok) throw new TypeError(`no answer from the house: ${answer.status}`);
      if (String((await answer.json()).n) !== root.dataset.n) await fetchPage();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

setInterval(drawClocks, 500);
follow();
