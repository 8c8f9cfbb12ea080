// The rules beside the board: a drawer with their whole text, opened by the button, or at the
// paragraph that a refusal or an ending cites. The text is asked for once, when it is first opened.
import { headers } from "./ask.js";
import { h, need } from "./dom.js";
import { address, say } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

const PREFIX = "rules-"; // before the names of paragraphs, which the page may use for something else

export class Drawer {
  /** @param {Table} table */
  constructor({ board, game, main }) {
    this.main = main;
    /** The board, which has the focus where nothing else could. */
    this.board = board.host;
    this.element = need("drawer");
    this.text = need("drawer-text");
    /** The address of the rules' own page. */
    this.path = address(`/g/${game}/rules`);
    /** The text, or the wait for it; null before. @type {Promise<void> | null} */
    this.loading = null;
    /** Opens the folded part with a paragraph; known when the text is there. @type {(element:
     * Element) => void}
     */
    this.unfold = () => {};
    /** The element that had the focus before. @type {Element | null} */
    this.opener = null;
    need("drawer-close").addEventListener("click", () => this.close());
    document.addEventListener("click", (event) => this.follow(event));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation(); // a half-made move is not given up by that
      this.close();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) this.close();
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /**
   * Links to the rules of this game open the drawer; with a key held down they stay links.
   * @param {MouseEvent} event
   */
  follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.id === "drawer-page" || link.origin !== location.origin) return;
    const within = this.text.contains(link) && link.getAttribute("href")?.startsWith("#");
    if (!within && link.pathname !== this.path) return;
    event.preventDefault();
    const name = decodeURIComponent(link.hash.slice(1));
    if (name || !this.isOpen) this.open(name, within ? this.opener : link);
    else this.close();
  }

  /**
   * @param {string} name  of a paragraph, or empty for the beginning
   * @param {Element | null} opener  what has the focus again afterwards
   */
  async open(name, opener) {
    if (!this.isOpen) this.opener = opener;
    this.element.hidden = false;
    this.reflect();
    need("drawer-title").focus({ preventScroll: true });
    this.loading ??= this.load();
    await this.loading;
    if (this.isOpen && name) this.show(name);
  }

  close() {
    if (!this.isOpen) return;
    const had = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.reflect();
    const { opener } = this;
    if (!had) return;
    if (opener instanceof HTMLElement && opener.checkVisibility()) opener.focus();
    else this.board.focus();
  }

  /** Tell the page, and its listeners, whether it is open. */
  reflect() {
    this.main.classList.toggle("rules-open", this.isOpen);
    for (const link of document.querySelectorAll(".rules-link")) link.setAttribute("aria-expanded", String(this.isOpen));
  }

  /** Fetch the text and the figures, so that all of it can be read without the house from now on. */
  async load() {
    this.text.replaceChildren(h("p", { class: "soft" }, say("rules-loading")));
    try {
      const asked = fetch(`${this.path}/text`, { headers: headers() });
      const [answer, figures] = await Promise.all([asked, import("./figures.js"), style()]);
      if (!answer.ok) throw new TypeError(`no answer from the house: ${answer.status}`);
      const found = new DOMParser().parseFromString(await answer.text(), "text/html").body;
      for (const element of found.querySelectorAll("[id]")) element.id = PREFIX + element.id;
      for (const element of found.querySelectorAll("[aria-labelledby]")) {
        element.setAttribute("aria-labelledby", PREFIX + element.getAttribute("aria-labelledby"));
      }
      for (const image of found.querySelectorAll("img")) image.loading = "eager";
      this.text.replaceChildren(...document.adoptNode(found).children);
      figures.wireFigures(this.text);
      this.unfold = figures.unfold;
    } catch {
      this.loading = null; // the next attempt may succeed
      this.text.replaceChildren(h("p", {}, say("failed")));
    }
  }

  /** Show a paragraph, and light it. @param {string} name */
  show(name) {
    const cited = document.getElementById(PREFIX + name);
    if (!cited || !this.text.contains(cited)) return;
    for (const other of this.text.querySelectorAll(".cited")) other.classList.remove("cited");
    cited.classList.add("cited");
    this.unfold(cited);
    this.text.scrollTop += cited.getBoundingClientRect().top - this.text.getBoundingClientRect().top - 8;
    cited.tabIndex = -1;
    cited.focus({ preventScroll: true });
  }
}

/** The style sheet of the rules, which a table needs only now. */
function style() {
  return new Promise((done) => {
    const link = h("link", { rel: "stylesheet", href: new URL("../css/rules.css", import.meta.url) });
    link.addEventListener("load", () => done(null));
    link.addEventListener("error", () => done(null));
    document.head.append(link);
  });
}
