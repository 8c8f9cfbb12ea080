// The tables at which this browser has a seat, for the shelf and the page of one's games.
import { headers } from "./ask.js";
import { h } from "./dom.js";
import { verdict } from "./ending.js";
import { forgetSeat, seats, unlist } from "./memory.js";
import { called } from "./voice.js";
import { address, lang, say } from "./words.js";

/** @typedef {import("./types.js").TableState} State */
/** @typedef {import("./memory.js").Held} Held */

/** How many tables are asked about: on the shelf the last ones, which lists a few of them. */
const ASKED = { all: 60, few: 12 };
/** How many the shelf lists before it leads to all of them. */
const FEW = 2;

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

/** Whether it is my turn. @param {State} state */
const due = (state) => !state.outcome && state.choosing.some((seat) => state.you.seats.includes(seat));

/**
 * One game: where it stands, with whom, and the way to take it off the list.
 * @param {State} state
 * @param {() => void} changed
 */
function line(state, changed) {
  const others = state.seats.filter((seat) => !state.you.seats.includes(seat.seat))
    .map((seat) => (seat.status === "open" ? say("an-open-seat") : called(seat)));
  const status = state.outcome ? verdict(state) : !state.begun ? say("not-begun") : due(state) ? say("your-turn") : say("their-turn");
  return h("li", { class: due(state) ? "my-table due" : "my-table" },
    h("a", { href: address(`/t/${state.table}`) },
      h("img", { src: `/picture/table/${state.table}.svg?n=${state.n}`, alt: "", loading: "lazy" }),
      h("b", {}, state.title),
      h("span", {}, say("with", { names: others.join(", ") || say("this-screen") })),
      h("span", { class: "status" }, status)),
    h("button", {
      type: "button", class: "unlist", "aria-label": say("unlist", { title: state.title }), title: say("unlist", { title: state.title }),
      onclick: () => { unlist(state.table, true); changed(); },
    }, "×"));
}

/**
 * What stands in the place of a game that was taken off the list, until the page is left.
 * @param {State} state
 * @param {() => void} changed
 */
function gap(state, changed) {
  return h("li", { class: "my-table unlisted", role: "status" },
    h("p", {}, say("unlisted", { title: state.title }), " ",
      h("button", { type: "button", onclick: () => { unlist(state.table, false); changed(); } }, say("undo-unlist"))));
}

/** @param {HTMLElement} section */
async function fill(section) {
  const all = section.dataset.myTables === "all";
  const held = Object.entries(seats()).filter(([, one]) => !one.unlisted)
    .sort(([, a], [, b]) => b.at - a.at).slice(0, all ? ASKED.all : ASKED.few);
  const states = (await Promise.all(held.map(([id, one]) => ask(id, one).catch(() => null)))).filter((state) => state !== null);
  const known = all ? states : states.filter((state) => !state.outcome);
  /** @param {State} state */
  const rank = (state) => (state.outcome ? 2 : due(state) ? 0 : 1);
  known.sort((a, b) => rank(a) - rank(b));
  draw();

  function draw() {
    const kept = seats();
    const listed = known.filter((state) => !kept[state.table]?.unlisted);
    // What was taken off the list here can be put back here: it counts as one of the few.
    const shown = all ? known : known.slice(0, FEW);
    for (const empty of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-empty]"))) empty.hidden = shown.length > 0;
    section.hidden = !shown.length && !section.querySelector("[data-empty]"); // the shelf has no word for none
    for (const old of section.querySelectorAll(".my-tables, .all-mine")) old.remove();
    if (!shown.length) return;
    section.append(h("ul", { class: "my-tables" }, ...shown.map((state) => (kept[state.table]?.unlisted ? gap : line)(state, draw))));
    if (!all && listed.length > FEW) {
      section.append(h("p", { class: "all-mine" }, h("a", { class: "button", href: address("/mine") }, say("all-mine"))));
    }
  }
}

for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-my-tables]"))) fill(section);
