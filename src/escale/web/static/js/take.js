// A box that is taken along: everything that belongs to it goes into this browser's cache, from
// which the service worker answers where the house does not. Then the levels are timed here.
import { alone, ask } from "./ask.js";
import { h } from "./dom.js";
import { keepTaken, taken } from "./memory.js";
import { address, lang, say } from "./words.js";
import { allowed, startWorker } from "./worker.js";

/** @typedef {import("./types.js").BoxFiles} BoxFiles */
/** @typedef {{seconds: number, weaker: boolean}} Pace */

const AT_ONCE = 6; // files that are asked for at the same time
const SLOW_SECONDS = 5;
const LEVELS = ["mousse", "matelot", "bosco", "pilote", "capitaine", "amiral"];
const SHARED = "escale-shared-"; // the cache of what all boxes need, by edition
const FOR_EVER = /\/(static|offline)\/[0-9a-f]{12}\//;

/** Whether a browser can keep a box. */
const able = allowed() && "caches" in window;

/** The cache of a box in a language. @param {string} game @param {string} edition */
const nameOf = (game, edition) => `escale-box-${game}-${lang}-${edition}`;

/** Where the list of a box's files is. @param {string} game @returns {Promise<BoxFiles>} */
const listed = (game) => (alone ? fetch(address(`/g/${game}/files.json`)).then((answer) => answer.json()) : ask(`/api/games/${game}/files`));

/**
 * Put everything that belongs to a box into the cache.
 * @param {string} game
 * @param {BoxFiles} list
 * @param {(bytes: number) => void} tell  how much is here
 */
async function fill(game, list, tell) {
  const [shared, own] = await Promise.all([caches.open(SHARED + list.edition), caches.open(nameOf(game, list.edition))]);
  let done = 0;
  const waiting = [...list.files];
  const work = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const [where, bytes] = file;
      const cache = FOR_EVER.test(where) ? shared : own;
      const known = FOR_EVER.test(where) && (await cache.match(where, { ignoreVary: true }));
      if (!known) {
        const answer = await fetch(where, { cache: cache === own ? "no-cache" : "default" });
        if (!answer.ok) throw new TypeError(`${where}: ${answer.status}`);
        // Copied: an answer that was redirected may not be given to a page.
        await cache.put(answer.redirected ? answer.url : where, new Response(answer.body, { status: 200, headers: answer.headers }));
      }
      tell((done += bytes));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const name of await caches.keys()) {
    const older = name.startsWith(`escale-box-${game}-${lang}-`) && name !== nameOf(game, list.edition);
    if (older) await caches.delete(name);
  }
  await dropUnused();
}

/** Drop what all boxes share where no box of that edition is left. */
async function dropUnused() {
  const names = await caches.keys();
  for (const name of names.filter((one) => one.startsWith(SHARED))) {
    const edition = name.slice(SHARED.length);
    if (!names.some((one) => one.startsWith("escale-box-") && one.endsWith(edition))) await caches.delete(name);
  }
}

/** How long each level thinks about a move on this device. @param {string} game @param {(level: string) => void} tell */
async function timed(game, tell) {
  /** @type {Record<string, Pace>} */
  const found = {};
  for (const level of LEVELS) {
    tell(level);
    const answer = await (await import("./device.js")).request(`/api/games/${game}/pace/${level}`);
    if (!answer.ok) throw new TypeError(`${level}: ${answer.status}`);
    found[level] = await answer.json();
  }
  return found;
}

/** The part of a box's page that takes it along. */
class Taking {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.game = section.dataset.take ?? "";
    /** @type {Record<string, string>} */
    this.levels = JSON.parse(section.dataset.levels ?? "{}");
    this.status = h("p", { role: "status" });
    this.bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": say("take-loading") });
    this.go = h("button", { type: "button", class: "main", onclick: () => this.take() }, say("take-along"));
    this.leave = h("button", { type: "button", onclick: () => this.drop() }, say("take-leave"));
    this.pace = h("ul", { class: "take-pace" });
    section.append(this.status, this.bar, h("p", { class: "row" }, this.go, this.leave), this.pace);
    section.hidden = false;
    /** The list of files, asked for once. @type {Promise<BoxFiles> | null} */
    this.list = null;
    this.draw();
    const details = section.closest("details");
    if (details?.open) this.weigh();
    details?.addEventListener("toggle", () => details.open && this.weigh());
  }

  get kept() {
    const known = taken()[this.game];
    return known?.langs.includes(lang) ? known : null;
  }

  /** Say how large the box is, before it is taken. */
  async weigh() {
    if (!able || this.list) return;
    this.list = listed(this.game);
    try {
      const { size, edition } = await this.list;
      if (!this.kept) this.status.textContent = say("take-size", { size: megabytes(size) });
      else if (this.kept.edition !== edition) this.take(); // the house has a newer edition
    } catch {
      this.list = null;
    }
  }

  draw() {
    const { kept } = this;
    this.go.hidden = !able || kept !== null;
    this.leave.hidden = kept === null;
    this.bar.hidden = true;
    if (!able) this.status.textContent = say("take-impossible");
    else if (kept) this.status.textContent = say("take-done");
    this.pace.replaceChildren(...Object.entries(kept?.pace ?? {}).flatMap(([level, { seconds, weaker }]) => {
      if (!weaker && seconds < SLOW_SECONDS) return [];
      const name = this.levels[level] ?? level;
      return h("li", {}, say(seconds >= SLOW_SECONDS ? "take-slow" : "take-weaker", { level: name, seconds: Math.round(seconds) }));
    }));
  }

  async take() {
    this.go.disabled = true;
    try {
      const list = await (this.list ??= listed(this.game));
      this.bar.hidden = false;
      this.bar.max = list.size;
      await navigator.storage?.persist?.();
      await startWorker();
      await fill(this.game, list, (bytes) => {
        this.bar.value = bytes;
        this.status.textContent = say("take-progress", { done: megabytes(bytes), of: megabytes(list.size) });
      });
      const before = taken()[this.game];
      const langs = [...new Set([...(before?.edition === list.edition ? before.langs : []), lang])];
      keepTaken(this.game, { at: Date.now(), edition: list.edition, langs, pace: before?.pace });
      if (!before?.pace) {
        const pace = await timed(this.game, (level) => { this.status.textContent = say("take-timing", { level: this.levels[level] ?? level }); });
        keepTaken(this.game, { ...taken()[this.game], pace });
      }
    } catch {
      this.status.textContent = say("take-failed");
      this.bar.hidden = true;
      this.list = null;
      return;
    } finally {
      this.go.disabled = false;
    }
    this.draw();
  }

  async drop() {
    for (const name of await caches.keys()) {
      if (name.startsWith(`escale-box-${this.game}-`)) await caches.delete(name);
    }
    await dropUnused();
    keepTaken(this.game, null);
    this.draw();
    this.status.textContent = say("take-left");
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => new Intl.NumberFormat(lang, { maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(bytes / 1e6);

for (const section of document.querySelectorAll("[data-take]")) {
  if (section instanceof HTMLElement) new Taking(section);
}
