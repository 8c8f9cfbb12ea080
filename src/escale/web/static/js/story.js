// What has happened: the log, the replay through the whole game, and what people say.
import { h, need } from "./dom.js";
import { moving } from "./motion.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").TableState} State */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {{ply: number, scene: Scene, told: string, text: string}} Page */
/** @typedef {{page: (ply: number) => Promise<Page>, show: (page: Page | null) => void, say: (text: string) => void}} Hands */

const PACE = 1100; // milliseconds a move when the replay runs

export class Story {
  /** @param {Hands} hands */
  constructor(hands) {
    this.hands = hands;
    this.list = need("log");
    this.talk = need("talk");
    this.slider = /** @type {HTMLInputElement} */ (need("replay"));
    /** The ply being looked at; null is the table as it is. @type {number | null} */
    this.at = null;
    this.last = 0;
    this.shown = 0;
    this.heard = 0;
    /** @type {Map<number, Promise<Page>>} */
    this.pages = new Map();
    /** @type {number | undefined} */
    this.playing = undefined;
    this.slider.addEventListener("input", () => this.goto(Number(this.slider.value)));
    const steps = { first: () => 0, back: () => this.here - 1, forward: () => this.here + 1, last: () => this.last };
    for (const [name, where] of Object.entries(steps)) {
      need(`replay-${name}`).addEventListener("click", () => {
        this.stop();
        this.goto(where());
      });
    }
    need("replay-play").addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    need("talk-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (need("talk-text"));
      const text = field.value.trim();
      field.value = "";
      if (text) this.hands.say(text);
    });
  }

  get here() {
    return this.at ?? this.last;
  }

  /** @param {State} state */
  draw(state) {
    if (state.log.length < this.shown || state.ply < this.last) this.forget();
    const fresh = state.log.filter((item) => item.n > this.shown);
    for (const item of fresh) {
      if (item.do === "say") this.hear(state, item);
      else if (item.do === "draw") this.lots(state, item);
      else if (item.told) this.list.append(this.line(state, item));
    }
    this.shown = state.log.at(-1)?.n ?? 0;
    this.last = state.ply;
    if (fresh.length && this.at === null) this.list.scrollTop = this.list.scrollHeight;
    need("talk-form").hidden = !state.you.seats.length;
    this.drawReplay();
  }

  /** Begin anew: another view, or moves taken back. */
  forget() {
    this.list.replaceChildren();
    this.talk.replaceChildren();
    this.pages.clear();
    this.shown = 0;
    this.at = null;
  }

  /**
   * @param {State} state
   * @param {LogItem} item
   */
  line(state, item) {
    const seat = item.seat === undefined || item.seat === null ? null : state.seats[item.seat];
    const move = item.do === "play";
    const words = [
      seat && move ? h("span", { class: `who seat-${seat.seat}` }, seat.label) : "",
      item.move && move ? h("span", { class: "move" }, item.move) : "",
      h("span", { class: "told" }, item.told),
    ];
    if (!move && item.do !== "draw") return h("li", { class: "aside" }, ...words);
    return h("li", { "data-ply": item.ply }, h("button", { type: "button", onclick: () => this.goto(item.ply) }, ...words));
  }

  /**
   * Lots that follow each other, such as the cards of a deal, are one line that can be opened.
   * @param {State} state
   * @param {LogItem} item
   */
  lots(state, item) {
    const last = this.list.lastElementChild;
    const line = this.line(state, item);
    if (!last || last.getAttribute("data-lots") === null) {
      line.dataset.lots = "";
      return this.list.append(line);
    }
    let group = last.querySelector("ol");
    if (!group) {
      const alone = h("li", { "data-ply": /** @type {HTMLElement} */ (last).dataset.ply }, ...last.childNodes);
      group = h("ol", {}, alone);
      last.replaceChildren(h("details", {}, h("summary", {}), group));
    }
    group.append(line);
    /** @type {HTMLElement} */ (last).dataset.ply = line.dataset.ply;
    /** @type {Element} */ (last.querySelector("summary")).textContent = say("lots", { count: group.children.length });
  }

  /**
   * @param {State} state
   * @param {LogItem} item
   */
  hear(state, item) {
    const seat = state.seats[item.seat ?? 0];
    this.talk.append(h("li", {},
      h("b", { class: `who seat-${seat.seat}` }, seat.name || seat.label), " ", h("span", {}, item.text ?? "")));
    this.talk.scrollTop = this.talk.scrollHeight;
  }

  // ---- replay ----

  /** @param {number} ply */
  async goto(ply) {
    const wanted = Math.max(0, Math.min(ply, this.last));
    this.at = wanted === this.last && !this.playing ? null : wanted;
    this.drawReplay();
    if (this.at === null) return this.hands.show(null);
    if (!this.pages.has(wanted)) {
      const page = this.hands.page(wanted);
      page.catch(() => this.pages.delete(wanted));
      this.pages.set(wanted, page);
    }
    try {
      const page = await /** @type {Promise<Page>} */ (this.pages.get(wanted));
      if (this.at === wanted) this.hands.show(page);
    } catch {
      this.stop();
    }
  }

  play() {
    if (this.here >= this.last) this.at = -1;
    const step = () => {
      this.goto(this.here + 1);
      if (this.here >= this.last) this.stop();
    };
    this.playing = setInterval(step, moving() ? PACE : 2 * PACE);
    step();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    if (this.at === this.last) this.goto(this.last);
    this.drawReplay();
  }

  drawReplay() {
    const { here, last } = this;
    this.slider.max = String(last);
    this.slider.value = String(here);
    this.slider.setAttribute("aria-valuetext", say("ply-of", { ply: here, last }));
    need("replay-count").textContent = say("ply-of", { ply: here, last });
    const play = need("replay-play");
    play.setAttribute("aria-label", say(this.playing ? "replay-stop" : "replay-play"));
    play.setAttribute("aria-pressed", String(Boolean(this.playing)));
    for (const name of ["first", "back"]) /** @type {HTMLButtonElement} */ (need(`replay-${name}`)).disabled = here <= 0;
    for (const name of ["forward", "last"]) /** @type {HTMLButtonElement} */ (need(`replay-${name}`)).disabled = here >= last;
    for (const line of this.list.children) {
      const now = /** @type {HTMLElement} */ (line).dataset.ply === String(here);
      if (now) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
      if (now && this.at !== null) {
        const { offsetTop, offsetHeight } = /** @type {HTMLElement} */ (line);
        this.list.scrollTop = offsetTop - this.list.offsetTop - (this.list.clientHeight - offsetHeight) / 2;
      }
    }
  }
}
