// Tables that this device keeps: listed where the reader's games are, and handed to the house, with
// all their events, as soon as it answers.
import { alone, ask } from "./ask.js";
import { all, forget } from "./device_store.js";
import { h } from "./dom.js";
import { forgetSeat, seats } from "./memory.js";
import { keepInNotebook } from "./notebook.js";
import { say, tableAddress } from "./words.js";

/** @typedef {import("./device_store.js").KeptTable} KeptTable */

/** All tables of this device at which something was played. @returns {Promise<KeptTable[]>} */
export const tablesHere = () => all().then((found) => found.filter(({ lines }) => lines.some((line) => line.includes('"do": "play"'))), () => []);

/**
 * Hand the tables of this device to the house; true if it has taken up any.
 * @returns {Promise<boolean>}
 */
export async function handOver() {
  if (alone) return false;
  let some = false;
  for (const kept of await tablesHere()) {
    const token = seats()[kept.id]?.token;
    if (!token) continue;
    try {
      const { table, how } = await ask("/api/tables/kept", {
        body: { table: kept.id, token, secret: kept.secret, lines: kept.lines, next_secret: kept.next_secret ?? null },
      });
      await forget(kept.id);
      forgetSeat(kept.id);
      await keepInNotebook(table, token);
      if (how === "beside") tellConflict();
      some = true;
    } catch (failure) {
      if (failure instanceof TypeError) return some; // the house does not answer
      // It refuses this one: it stays here, and nothing is lost.
    }
  }
  return some;
}

/** Say that both versions of a game are kept. */
function tellConflict() {
  const main = document.querySelector("main");
  main?.prepend(h("p", { class: "notice", role: "status" }, say("kept-beside")));
}

/**
 * The tables of this device as a list for the page.
 * @param {KeptTable[]} tables
 * @param {Record<string, string>} titles
 */
export function listHere(tables, titles) {
  return h("ul", { class: "my-tables" }, ...tables.map(({ id, game, over }) =>
    h("li", { class: "my-table" },
      h("a", { href: tableAddress(id, game) },
        h("img", { src: `${document.documentElement.dataset.base ?? ""}/cover/${game}.svg`, alt: "", loading: "lazy" }),
        h("b", {}, titles[game] ?? game),
        h("span", {}, say("here-only")),
        h("span", { class: "status" }, say(over ? "here-over" : "here-running"))))));
}
