// A page that rings when a game begins to wait for its reader, also on a plain http network: by a tone,
// a vibration, the title and the icon. Nothing is asked of the house unless the reader wished it.
import { ask } from "./ask.js";
import { h } from "./dom.js";
import { setting } from "./memory.js";
import { sound } from "./sound.js";
import { address } from "./words.js";

/** @typedef {import("./types.js").Turns} Turns */

const WAIT = 25; // seconds that the house may keep a request until something changes
const PAUSE = 10_000; // milliseconds after a request that failed

let listening = false;
/** How many games waited when the page last rang. */
let known = 0;
let version = "";

/** Follow the games that wait, as long as the reader wishes it. */
export async function listen() {
  if (listening) return;
  listening = true;
  while (setting("ring")) {
    try {
      const turns = await ask(`/api/notebook/turns?since=${version}&wait=${version ? WAIT : 0}`);
      if (turns.version !== version) show(turns);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
  listening = false;
}

/** @param {Turns} turns */
function show(turns) {
  const rings = version !== "" && turns.waiting > known && !here(turns.table);
  version = turns.version;
  known = turns.waiting;
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = known && !document.getElementById("table") ? `(${known}) ${title}` : title;
  if ("setAppBadge" in navigator) (known ? navigator.setAppBadge(known) : navigator.clearAppBadge()).catch(() => undefined);
  if (!rings) return;
  sound("other");
  navigator.vibrate?.([80, 60, 80]);
  document.getElementById("rung")?.remove();
  const bar = h("p", { id: "rung", class: "rung", role: "status" },
    h("a", { href: address(`/t/${turns.table}`) }, turns.title),
    h("button", { type: "button", class: "plain-button", onclick: () => bar.remove() }, "×"));
  document.body.append(bar);
}

/** Whether a table is being looked at. @param {string} table */
const here = (table) => document.getElementById("table")?.dataset.table === table && !document.hidden;

listen();
