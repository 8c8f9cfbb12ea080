// The tables at which this browser has a seat, for the shelf and the page of one's games.
import { headers } from "./ask.js";
import { h } from "./dom.js";
import { forgetSeat, seats } from "./memory.js";
import { address, lang, say } from "./words.js";

/** @typedef {import("./types.js").TableState} State */
/** @typedef {import("./memory.js").Held} Held */

const MOST = 60;

/**
 * @param {string} id
 * @param {Held} held
 * @returns {Promise<State | null>}
 */
async function ask(id, held) {
  const response = await fetch(`/api/tables/${encodeURIComponent(id)}?lang=${lang}`, {
    headers: headers(held.token),
  });
  if (response.status === 404) {
    forgetSeat(id);
    return null;
  }
  return response.ok ? response.json() : null;
}

/** @param {State} state */
function line(state) {
  const mine = typeof state.turn === "number" && state.you.seats.includes(state.turn);
  const others = state.seats.filter((seat) => !state.you.seats.includes(seat.seat))
    .map((seat) => (seat.status === "open" ? say("open-seat") : seat.status === "computer" ? seat.level_name : seat.name) || seat.label);
  const status = state.outcome ? state.outcome.text : !state.begun ? say("not-begun") : mine ? say("your-turn") : say("their-turn");
  return h("li", { class: mine && !state.outcome ? "my-table due" : "my-table" },
    h("a", { href: address(`/t/${state.table}`) },
      h("img", { src: `/cover/${state.game}.svg`, alt: "", loading: "lazy" }),
      h("b", {}, state.title),
      h("span", {}, say("with", { names: others.join(", ") || say("this-screen") })),
      h("span", { class: "status" }, status)));
}

/** @param {HTMLElement} section */
async function fill(section) {
  const held = Object.entries(seats()).sort(([, a], [, b]) => b.at - a.at).slice(0, MOST);
  const states = (await Promise.all(held.map(([id, one]) => ask(id, one).catch(() => null)))).filter((state) => state !== null);
  const shown = section.dataset.myTables === "all" ? states : states.filter((state) => !state.outcome);
  /** @param {State} state */
  const rank = (state) => (state.outcome ? 2 : typeof state.turn === "number" && state.you.seats.includes(state.turn) ? 0 : 1);
  shown.sort((a, b) => rank(a) - rank(b));
  for (const empty of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-empty]"))) empty.hidden = shown.length > 0;
  section.hidden = !shown.length && !section.querySelector("[data-empty]"); // the shelf has no word for none
  section.querySelector(".my-tables")?.remove();
  if (shown.length) section.append(h("ul", { class: "my-tables" }, ...shown.map(line)));
}

for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-my-tables]"))) fill(section);
