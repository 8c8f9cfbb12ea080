// The page's own buttons and forms, and the taps and keys that mean the same everywhere on it.
import { copy, download, nudge, offer, report, share } from "./actions.js";
import { lookAgain, showAgain } from "./again.js";
import { tellHand } from "./arrivals.js";
import { need, showIf } from "./dom.js";
import { hint, toggleCoach } from "./help.js";
import { link, reach } from "./invitation.js";
import * as memory from "./memory.js";
import { note, sure } from "./notices.js";
import { closeSheet, wireSheet } from "./sheet.js";
import { SPEEDS, speed } from "./speed.js";
import { drawConnection, drawTools } from "./status.js";
import { turn } from "./turning.js";
import { undo } from "./undo.js";
import { address, say } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function wireControls(table) {
  wireButtons(table);
  wireSheet();
  wireName(table);
  wireSpeed();
  wireSkip(table);
  wireKeys(table);
  wireGivingUp(table);
  wireRules(table);
  addEventListener("offline", () => drawConnection(table, "lost"));
  need("board").addEventListener("fitted", () => {
    showIf("zoom", table.board.small || table.board.zoomed);
  });
}

/** @param {Table} table */
function wireButtons(table) {
  const { board, live, story } = table;
  /** @type {Record<string, () => void>} */
  const buttons = {
    flip: () => turn(table),
    zoom: () => {
      board.zoom(!board.zoomed);
      need("zoom").setAttribute("aria-pressed", String(board.zoomed));
    },
    now: () => story.goto(story.last),
    undo: () => void undo(table),
    hint: () => void hint(table),
    coach: () => toggleCoach(table),
    again: () => void showAgain(table),
    "last-look": () => void lookAgain(table),
    nudge: () => nudge(table),
    resign: () => sure(say("sure-resign"), () => live.act("resign", { seat: table.seat })),
    draw: () => offer(table, "draw"),
    takeback: () => offer(table, "takeback"),
    share: () => void share(table),
    hand: () => sure(say("sure-hand"), () => live.act("hand", { seat: table.seat })),
    take: () => live.act("take", { seat: table.seat }),
    "table-link": () => copy(link),
    report: () => sure(say("sure-report"), () => void report(table)),
    "seat-link": () => copy(`${link}#seat=${table.token}`),
    download: () => download(table),
    pace: () => {
      memory.keepSpeed(SPEEDS[(SPEEDS.indexOf(speed()) + 1) % SPEEDS.length]);
      showSpeed();
      note(say(`speed-${speed()}`));
    },
    sound: () => toggle(table, "sound"),
    "confirm-moves": () => toggle(table, "confirm"),
  };
  for (const [id, act] of Object.entries(buttons)) need(id).addEventListener("click", act);
  // The result of these actions is seen on the board and in the bar.
  for (const id of ["resign", "draw", "takeback", "hand", "nudge"]) need(id).addEventListener("click", closeSheet);
  need("seat-link").after(reach() || "");
}

/**
 * @param {Table} table
 * @param {"sound" | "confirm"} which
 */
function toggle(table, which) {
  memory.keepSetting(which, !memory.setting(which));
  drawTools(table);
}

/** @param {Table} table */
function wireName(table) {
  need("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = /** @type {HTMLInputElement} */ (need("my-name")).value.trim();
    if (!name) return;
    memory.keepName(name);
    table.live.act("rename", { seat: table.seat, name });
  });
}

/** How fast things are shown. */
function wireSpeed() {
  for (const each of SPEEDS) {
    const choice = /** @type {HTMLInputElement} */ (need(`speed-${each}`));
    choice.addEventListener("change", () => {
      memory.keepSpeed(each);
      showSpeed();
    });
  }
  showSpeed();
}

/** Show the speed among the options, and on the button beside the board. */
function showSpeed() {
  const now = speed();
  /** @type {HTMLInputElement} */ (need(`speed-${now}`)).checked = true;
  const words = `${say("speed")} : ${say(`speed-${now}`)}`;
  Object.assign(need("pace"), { title: words, ariaLabel: words });
  need("pace").dataset.pace = now;
}

/**
 * Keys that mean the same wherever one is on the page, but where one writes.
 * @param {Table} table
 */
function wireKeys(table) {
  /** @type {Record<string, () => void>} */
  const keys = { ".": () => table.state && tellHand(table.state), ",": () => void showAgain(table), Backspace: () => void undo(table), "?": () => void hint(table) };
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    const writes = event.target instanceof Element && event.target.closest("input, textarea, select, dialog, #drawer");
    if (!act || writes || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
}

/**
 * A tap or a key on the board goes on at once to what has not been shown yet, and means nothing else.
 * @param {Table} table
 */
function wireSkip({ pace }) {
  /** Whether a press has ended a pause, and its click is yet to come. */
  let skipped = false;
  for (const kind of ["pointerdown", "click", "keydown"]) {
    need("board").addEventListener(kind, (event) => {
      const follows = kind === "click" && skipped;
      skipped = kind === "pointerdown" && pace.behind;
      if (!pace.behind && !follows) return;
      if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
      event.stopImmediatePropagation();
      event.preventDefault();
      pace.skip();
    }, { capture: true });
  }
  document.addEventListener("visibilitychange", () => pace.skip());
}

/**
 * Escape, or a tap beside everything that can be used, gives up half a move.
 * @param {Table} table
 */
function wireGivingUp({ input }) {
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && input.cancel()) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const inside = event.target instanceof Element && event.target.closest("#board, #bar, #sheet, #drawer, button, a, input, label, summary");
    if (!inside) input.cancel();
  });
}

/**
 * The drawer of the rules is fetched with the first link to the rules of this game that is followed;
 * it looks after the others itself. With a key held down they stay links.
 * @param {Table} table
 */
function wireRules(table) {
  const path = address(`/g/${table.game}/rules`);
  let wanted = false;
  document.addEventListener("click", async (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (wanted || !link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.id === "drawer-page" || link.origin !== location.origin || link.pathname !== path) return;
    event.preventDefault();
    wanted = true;
    try {
      const { Drawer } = await import("./drawer.js");
      await new Drawer(table).open(decodeURIComponent(link.hash.slice(1)), link);
    } catch {
      wanted = false;
      note(say("failed"));
    }
  });
}
