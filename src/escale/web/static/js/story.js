// The past of a match: the log, the replay through the whole game, and the chat.
import { moving } from "./animate.js";
import { decoration } from "./badge.js";
import { h, need } from "./dom.js";
import { actors, called, voice } from "./voice.js";
import { say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {{ply: number, scene: Scene, sentence: string, pauses: Scene[]}} Page */
/**
 * @typedef {{
 *   page: (ply: number) => Promise<Page>,
 *   earlier: (before: number) => Promise<LogItem[]>,
 *   show: (page: Page | null) => void,
 *   say: (text: string) => void,
 *   phrase: (name: string) => void,
 * }} Handlers
 */

/**
 * Where the replay stops: a position, and how many moves the players have made by then.
 * @typedef {{ply: number, moves: number}} Step
 */

const MOVE_MS = 1100; // milliseconds a move when the replay runs

export class Story {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.list = need("log");
    this.talk = need("talk");
    this.slider = /** @type {HTMLInputElement} */ (need("replay"));
    /** The ply being looked at; null is the table as it is. @type {number | null} */
    this.at = null;
    this.last = 0;
    this.shown = 0;
    /** What is shown; its log has the last events only. @type {State | null} */
    this.state = null;
    /** The events before those that the state has, as far as they were asked for. @type {LogItem[]} */
    this.earlier = [];
    /** What is being asked for. @type {Promise<void> | null} */
    this.asking = null;
    /** What the seats are called in what is written. */
    this.voices = "";
    /** The numbers of the events whose moves were taken back. @type {Set<number>} */
    this.undone = new Set();
    /** @type {Step[]} */
    this.steps = [{ ply: 0, moves: 0 }];
    /** @type {Map<number, Promise<Page>>} */
    this.pages = new Map();
    /** @type {number | undefined} */
    this.playing = undefined;
    this.slider.addEventListener("input", () => this.goto(this.steps[Number(this.slider.value)].ply));
    const steps = { first: () => 0, back: () => this.before(), forward: () => this.after(), last: () => this.last };
    for (const [name, where] of Object.entries(steps)) {
      need(`replay-${name}`).addEventListener("click", async () => {
        this.stop();
        if (name === "back" && this.here <= this.steps[0].ply) await this.more();
        this.goto(where());
      });
    }
    for (const name of ["log", "talk"]) need(`${name}-earlier`).addEventListener("click", () => this.more());
    need("replay-play").addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    need("talk-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = /** @type {HTMLInputElement} */ (need("talk-text"));
      const text = field.value.trim();
      field.value = "";
      if (text) this.handlers.say(text);
    });
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (need("talk-form").querySelectorAll("[data-phrase]"))) {
      button.addEventListener("click", () => this.handlers.phrase(button.dataset.phrase ?? ""));
    }
  }

  get here() {
    return this.at ?? this.last;
  }

  /** The first event that is known; 1 when all are. */
  get first() {
    return this.earlier[0]?.n ?? this.state?.log[0]?.n ?? 1;
  }

  /** Ask for the page of the log before what is known. */
  more() {
    if (this.first > 1) this.asking ??= this.askEarlier().finally(() => { this.asking = null; });
    return this.asking ?? Promise.resolve();
  }

  async askEarlier() {
    const { first, state } = this;
    const items = await this.handlers.earlier(first).catch(() => []);
    if (!state || this.first !== first || !items.length) return; // something else is shown by now
    this.earlier = [...items, ...this.earlier];
    const from = [this.list, this.talk].map((list) => list.scrollHeight - list.scrollTop);
    this.clear();
    this.draw(/** @type {State} */ (this.state));
    // What was read stays where it was.
    [this.list, this.talk].forEach((list, i) => { list.scrollTop = list.scrollHeight - from[i]; });
  }

  /** The step before what is looked at. */
  before() {
    return this.steps.findLast(({ ply }) => ply < this.here)?.ply ?? 0;
  }

  /** The step after it. */
  after() {
    return this.steps.find(({ ply }) => ply > this.here)?.ply ?? this.last;
  }

  /** @param {State} state */
  draw(state) {
    if ((state.log.at(-1)?.n ?? 0) < this.shown) this.forget();
    this.state = state;
    const log = [...this.earlier, ...state.log];
    const { undone, steps } = line(log, state.moves);
    if (undone.size !== this.undone.size && this.shown) {
      this.clear();
      this.pages.clear();
      this.at = null;
    }
    const voices = state.seats.map(called).join("\n");
    if (voices !== this.voices) this.clear();
    this.voices = voices;
    this.undone = undone;
    this.steps = steps;
    const fresh = log.filter((item) => item.n > this.shown);
    for (const item of fresh) {
      if (item.do === "say" || item.do === "phrase") this.addTalk(state, item);
      else if (item.do === "draw") this.addDraw(state, item);
      else if (item.sentence) this.list.append(this.line(state, item));
    }
    this.shown = state.log.at(-1)?.n ?? 0;
    this.last = state.ply;
    if (fresh.length && this.at === null) this.list.scrollTop = this.list.scrollHeight;
    need("talk-form").hidden = !state.you.seats.length;
    need("talk-free").hidden = state.phrases;
    for (const name of ["log", "talk"]) need(`${name}-earlier`).hidden = this.first <= 1;
    this.drawReplay();
  }

  /** Begin anew: another view. */
  forget() {
    this.clear();
    this.pages.clear();
    this.earlier = [];
    this.at = null;
  }

  /** Let everything be written anew. */
  clear() {
    this.list.replaceChildren();
    this.talk.replaceChildren();
    this.shown = 0;
  }

  /**
   * @param {State} state
   * @param {LogItem} item
   */
  line(state, item) {
    const move = item.do === "play";
    const words = [
      ...actors(item).map((seat) => h("span", { class: `who seat-${seat}` }, decoration(state, seat), voice(state, seat, item.by))),
      item.label ? h("span", { class: "move" }, item.label) : "",
      h("span", { class: "sentence" }, item.sentence),
    ];
    if (this.undone.has(item.n)) return h("li", { class: "undone" }, takenBack(), " ", h("s", {}, ...words));
    if (!move && item.do !== "draw") return h("li", { class: "aside" }, ...words);
    return h("li", { "data-ply": item.ply }, h("button", { type: "button", onclick: () => this.goto(item.ply) }, ...words));
  }

  /**
   * Chance outcomes that follow each other, such as the cards of a deal, are one line that can be
   * opened.
   * @param {State} state
   * @param {LogItem} item
   */
  addDraw(state, item) {
    const last = this.list.lastElementChild;
    const line = this.line(state, item);
    line.dataset.draw = this.undone.has(item.n) ? "undone" : "";
    if (!(last instanceof HTMLElement) || last.dataset.draw !== line.dataset.draw) return this.list.append(line);
    let group = last.querySelector("ol");
    if (!group) {
      const alone = h("li", { class: last.className, "data-ply": last.dataset.ply }, ...last.childNodes);
      group = h("ol", {}, alone);
      last.replaceChildren(h("details", {}, h("summary", {}), group));
    }
    group.append(line);
    if (line.dataset.ply) last.dataset.ply = line.dataset.ply;
    const count = say("chance-outcomes", { count: group.children.length });
    last.querySelector("summary")?.replaceChildren(...(line.dataset.draw ? [takenBack(), " ", h("s", {}, count)] : [count]));
  }

  /**
   * @param {State} state
   * @param {LogItem} item
   */
  addTalk(state, item) {
    const seat = item.seat ?? 0;
    this.talk.append(h("li", {},
      h("b", { class: `who seat-${seat}` }, voice(state, seat)), " ", h("span", {}, item.text ?? item.label ?? "")));
    this.talk.scrollTop = this.talk.scrollHeight;
  }

  // ---- replay ----

  /** @param {number} ply */
  async goto(ply) {
    const wanted = Math.max(0, Math.min(ply, this.last));
    for (let known = 0; wanted < this.steps[0].ply && known !== this.first;) {
      known = this.first;
      await this.more();
    }
    this.at = wanted === this.last && !this.playing ? null : wanted;
    this.drawReplay();
    if (this.at === null) return this.handlers.show(null);
    try {
      const page = await this.page(wanted);
      if (this.at === wanted) this.handlers.show(page);
    } catch {
      this.stop();
    }
  }

  /** The table after a number of moves; asked for once. @param {number} ply */
  page(ply) {
    const known = this.pages.get(ply) ?? this.handlers.page(ply);
    if (!this.pages.has(ply)) known.catch(() => this.pages.delete(ply));
    this.pages.set(ply, known);
    return known;
  }

  play() {
    const step = () => {
      this.goto(this.after());
      if (this.here >= this.last) this.stop();
    };
    this.playing = setInterval(step, moving() ? MOVE_MS : 2 * MOVE_MS);
    if (this.here >= this.last) this.goto(0);
    else step();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    if (this.at === this.last) this.goto(this.last);
    this.drawReplay();
  }

  drawReplay() {
    const { here, last, steps } = this;
    const step = Math.max(0, steps.findLastIndex(({ ply }) => ply <= here));
    const { moves } = steps[step];
    const count = moves ? say("move-of", { move: moves, last: steps[steps.length - 1].moves }) : say("start");
    this.slider.max = String(steps.length - 1);
    this.slider.value = String(step);
    this.slider.setAttribute("aria-valuetext", count);
    Object.assign(need("replay-count"), { textContent: count, hidden: !moves }); // the beginning says so itself
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

/** The sign of a move that was taken back. */
function takenBack() {
  return h("span", { class: "tag" }, say("taken-back"));
}

/**
 * The line of moves that led to the table as it is: which events are not in it, since their moves
 * were taken back, and where one may stop on it. Several chance outcomes in a row, such as a deal,
 * are one step. If the log does not reach back to the beginning, neither do the steps.
 * @param {LogItem[]} log
 * @param {number} played  how many moves the players have made
 */
function line(log, played) {
  /** @type {LogItem[]} */
  const stands = [];
  /** @type {Set<number>} */
  const undone = new Set();
  for (const item of log) {
    for (let top = stands.at(-1); top && top.ply > item.ply; top = stands.at(-1)) {
      undone.add(top.n);
      stands.pop();
    }
    if (item.do === "play" || item.do === "draw") stands.push(item);
  }
  const begins = Math.min(...log.map(({ do: what, ply }) => (what === "play" || what === "draw" ? ply - 1 : ply)));
  const whole = (log[0]?.n ?? 1) === 1;
  const known = stands.filter((item) => item.do === "play").length;
  /** @type {Step[]} */
  const steps = [whole ? { ply: 0, moves: 0 } : { ply: begins, moves: played - known }];
  stands.forEach(({ do: what, ply }, index) => {
    const { moves } = steps[steps.length - 1];
    if (what === "play") steps.push({ ply, moves: moves + 1 });
    else if (stands[index - 1]?.do === "draw") steps[steps.length - 1] = { ply, moves };
    else steps.push({ ply, moves });
  });
  return { undone, steps };
}
