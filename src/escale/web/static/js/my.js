// On the shelf: the games that wait for this person, which the house knows.
import { ask } from "./ask.js";
import "./sit_down.js";
import { h } from "./dom.js";
import { keepAll } from "./notebook.js";
import { handOver, listHere, tablesHere } from "./taken_up.js";
import { address, block, playBefore, say } from "./words.js";

/** @typedef {import("./types.js").MyGame} MyGame */

/** How many the shelf lists before it leads to all of them. */
const FEW = 2;

/**
 * One game: where it stands, with whom, and the way to take it off the list.
 * @param {MyGame} game
 * @param {() => void} draw
 * @param {Set<string>} gone
 */
function line(game, draw, gone) {
  const list = async (/** @type {boolean} */ listed) => {
    await ask(`/api/notebook/games/${game.table}`, { body: { listed } });
    if (listed) gone.delete(game.table);
    else gone.add(game.table);
    draw();
  };
  if (gone.has(game.table)) {
    return h("li", { class: "my-table unlisted", role: "status" },
      h("p", {}, say("unlisted", { title: game.title }), " ",
        h("button", { type: "button", onclick: () => list(true) }, say("undo-unlist"))));
  }
  return h("li", { class: `my-table ${game.status}` },
    h("a", { href: address(`/t/${game.table}`) },
      h("img", { src: game.picture, alt: "", loading: "lazy" }),
      h("b", {}, game.title),
      h("span", {}, game.people),
      h("span", { class: "status" }, game.until && game.status === "due" ? playBefore(game.until) : game.line)),
    h("button", {
      type: "button", class: "unlist", "aria-label": say("unlist", { title: game.title }), title: say("unlist", { title: game.title }),
      onclick: () => list(false),
    }, "×"));
}

/** @param {HTMLElement} section */
async function fill(section) {
  await handOver();
  await keepAll();
  /** @type {{games: MyGame[]}} */
  const { games } = await ask("/api/notebook/games").catch(() => ({ games: [] }));
  const shown = games.slice(0, FEW);
  const here = await tablesHere();
  /** @type {Set<string>} */
  const gone = new Set();
  draw();

  function draw() {
    section.hidden = !shown.length && !here.length; // the shelf has no word for none
    for (const old of section.querySelectorAll(".my-tables, .all-mine")) old.remove();
    if (here.length) section.append(listHere(here.slice(0, FEW), block("titles")));
    if (!shown.length) return;
    section.append(h("ul", { class: "my-tables" }, ...shown.map((game) => line(game, draw, gone))));
    if (games.length > FEW) {
      section.append(h("p", { class: "all-mine" }, h("a", { class: "button", href: address("/mine") }, say("all-mine"))));
    }
  }
}

for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-my-tables]"))) fill(section);
