// A table: board, input, people and story around one live connection.
import { Board } from "./board.js";
import { Desk } from "./desk.js";
import { h, need } from "./dom.js";
import { drawEnd, verdict } from "./ending.js";
import { Input } from "./input.js";
import { link, reach } from "./invitation.js";
import { Live, random } from "./live.js";
import * as memory from "./memory.js";
import { Pace } from "./pace.js";
import { wirePanes } from "./panes.js";
import { People, called } from "./people.js";
import { sound } from "./sound.js";
import { Story } from "./story.js";
import { say } from "./words.js";

/** @typedef {import("./live.js").State} State */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {import("./desk.js").Refusal} Refusal */
/** @typedef {import("./story.js").Page} Page */

const main = need("table");
const TABLE = main.dataset.table ?? "";
const GAME = main.dataset.game ?? "";
const SPOKEN = 6; // events that are told at once; of more, the last ones
const LOOK = 1500; // milliseconds to look at a trick, or at whatever else is about to go

class Table {
  constructor() {
    this.token = takeSeat();
    /** The table as it is shown; the connection may know more. @type {State | null} */
    this.state = null;
    this.pace = new Pace();
    /** Whether a move made in what is shown is on its way. */
    this.sent = false;
    /** Whether a press has ended a pause, and its click is yet to come. */
    this.skipped = false;
    /** Whether the house can be reached. */
    this.online = false;
    this.board = new Board(need("board"), GAME);
    this.live = new Live(TABLE, this.token, {
      state: (state) => this.begin(state),
      events: (state, items) => this.follow(state, items),
      presence: () => this.state && this.people.draw(this.state),
      refused: (refusal, action) => this.refused(refusal, action.do),
      status: (status) => this.connection(status),
    });
    this.input = new Input(this.board, {
      play: (text) => this.play(text),
      explain: (atoms) => this.explain(atoms),
      forget: () => this.forget(),
      fetch: (atoms) => this.fetch(atoms),
      changed: () => this.desk?.draw(),
      confirms: () => memory.setting("confirm"),
      point: (names) => { need("pointed").textContent = this.desk.told(names); },
      type: (letter) => this.desk.type(letter),
    });
    this.desk = new Desk(this.input, (atom) => this.label(atom));
    this.people = new People({
      sit: (seat, name) => this.sit(seat, name),
      hand: (seat) => this.live.act("hand", { seat }),
      invite: () => this.copy(link),
    });
    this.story = new Story({
      page: (ply) => this.live.ask(`/plies/${ply}?${this.eyes}`),
      show: (page) => this.look(page),
      say: (text) => this.live.act("say", { seat: this.seat, text }),
    });
    /** The moment of the game that is shown instead of now. @type {Page | null} */
    this.page = null;
    this.ended = false;
    /** The moment of the game that can be played in. */
    this.moment = "";
    /** For which seats the board has been turned to its side. */
    this.faced = "";
    /** Ends with the last question why something cannot be. */
    this.question = new AbortController();
    /** @type {number | undefined} */
    this.noting = undefined;
    this.wire();
    this.live.open();
  }

  /** The seat that acts: the one on turn if it is mine, else the first I hold. */
  get seat() {
    const { you, turn } = /** @type {State} */ (this.state);
    return you.seats.find((seat) => seat === turn) ?? you.as ?? you.seats[0];
  }

  get eyes() {
    const as = this.state?.you.as;
    return as === null || as === undefined ? "" : `as=${as}`;
  }

  /** What people call an atom. @param {string} atom */
  label(atom) {
    return this.state?.labels?.[atom] ?? atom;
  }

  // ---- what arrives ----

  /** The whole state: at the beginning, or for another pair of eyes. @param {State} state */
  begin(state) {
    this.pace.skip();
    const first = !this.story.shown;
    if (this.token) {
      if (state.you.seats.length) {
        memory.keepSeat(TABLE, { token: this.token, seats: state.you.seats, game: GAME, at: Date.now() });
      } else memory.forgetSeat(TABLE);
    }
    if (!first) this.story.forget();
    this.board.flipped = memory.turned(TABLE) ?? this.board.flipped;
    // The commitment is here: now this browser mixes its own value into the luck, and sits down.
    for (const seat of state.you.seats) {
      if (state.seats[seat].awaited) this.live.act("sit", { seat, value: random(16) });
    }
    this.ended = first && state.outcome !== null;
    this.draw(state, [], true);
    if (this.faced !== state.you.seats.join()) this.face(state);
    this.faced = state.you.seats.join();
    if (first) this.board.showMost(this.input.next);
    if (state.you.seats.length) /** @type {HTMLInputElement} */ (need("my-name")).value = state.seats[this.seat].name;
  }

  /**
   * Something happened: it is shown when its turn has come.
   * @param {State} state
   * @param {LogItem[]} items
   */
  follow(state, items) {
    // What is shown is no longer how things stand: nothing can be chosen in it.
    if (momentOf(state) !== this.moment) {
      this.input.set(null);
      main.classList.remove("mine");
    }
    /** @type {import("./pace.js").Beat[]} */
    const beats = [() => this.tell(state, items)];
    /** @type {Change[]} */
    let changes = [];
    for (const item of items) {
      let done = 0;
      for (const { after, scene } of item.looks ?? []) {
        const first = [...changes, ...(item.changes ?? []).slice(done, after)];
        beats.push((hurried) => (hurried ? 0 : this.pause({ ...state.scene, ...scene }, first, item.told)));
        changes = [];
        done = after;
      }
      changes.push(...(item.changes ?? []).slice(done));
    }
    const last = changes;
    beats.push((hurried) => this.arrive(state, last, hurried));
    this.pace.add(beats);
    if (document.hidden || this.page) this.pace.skip();
  }

  /**
   * Say what happened, by voice and by sound.
   * @param {State} state
   * @param {LogItem[]} items
   */
  tell(state, items) {
    const told = items.filter((item) => item.told).slice(-SPOKEN);
    for (const item of told) need("told").append(h("p", {}, item.told));
    while (need("told").children.length > 20) need("told").firstChild?.remove();
    const moved = items.filter((item) => item.do === "play");
    if (items.some((item) => item.do === "say" && !state.you.seats.includes(item.seat ?? -1))) {
      sound("word");
      if (need("pane-talk").hidden) need("tab-talk").classList.add("busy");
    }
    if (moved.length) sound(moved.every((item) => state.you.seats.includes(item.seat ?? -1)) ? "own" : "other");
    return 0;
  }

  /**
   * Let people look at the table in the middle of a move, before it goes on.
   * @param {import("./types.js").Scene} scene
   * @param {Change[]} changes
   * @param {string} told
   */
  pause(scene, changes, told) {
    if (this.page) return 0;
    const lasts = this.board.draw(scene, { changes });
    this.board.showMost(Object.keys(scene.highlights));
    need("status").textContent = told;
    return lasts + LOOK;
  }

  /**
   * Show how things stand now.
   * @param {State} state
   * @param {Change[]} changes
   * @param {boolean} hurried
   */
  arrive(state, changes, hurried) {
    const lasts = this.draw(state, changes, hurried);
    if (state.outcome && !this.ended) sound("end");
    this.ended = state.outcome !== null;
    if (this.page) return 0;
    const touched = changes.flatMap((change) => [change.at, change.to].flatMap((place) => place ?? []));
    this.board.showMost(this.input.next.some((atom) => this.input.isPlace(atom)) ? this.input.next : touched);
    return lasts;
  }

  /**
   * @param {State} state
   * @param {Change[]} changes
   * @param {boolean} still
   * @returns {number}  how long pieces are on their way
   */
  draw(state, changes, still) {
    this.state = state;
    main.classList.toggle("over", state.outcome !== null);
    const ratio = state.scene.panels.length ? 10 : state.scene.height / state.scene.width;
    main.style.setProperty("--ratio", String(ratio));
    this.people.draw(state);
    this.story.draw(state);
    if (this.story.at === null) this.page = null; // what was looked at has been taken back
    main.classList.toggle("replaying", this.page !== null);
    const moment = momentOf(state);
    if (moment !== this.moment) this.sent = false;
    // What people say meanwhile does not give up a half-made move.
    const same = moment === this.moment && this.input.root !== null && state.choices !== null;
    this.moment = moment;
    const lasts = this.page ? 0 : this.board.draw(state.scene, { changes, still });
    if (!this.page) need("board-text").textContent = state.text;
    if (!same) {
      this.unlock();
      this.desk.refuse(null);
    }
    this.drawStatus();
    this.drawOffer(state);
    this.drawTools(state);
    drawEnd(state, this.token, { rematch: () => this.offer("rematch"), replay: () => this.story.goto(0) });
    this.drawCurtain(state);
    return lasts;
  }

  /** Whether what is shown is all that is known. */
  get newest() {
    return this.state === this.live.state;
  }

  /** Let moves be chosen, if there is nothing newer to choose in, and none is on its way. */
  unlock() {
    const open = this.newest && !this.page && !this.sent;
    this.input.set(open ? this.state?.choices ?? null : null);
  }

  /** Show another moment of the game, or now. @param {Page | null} page */
  look(page) {
    this.pace.skip();
    this.page = page;
    main.classList.toggle("replaying", page !== null);
    const state = /** @type {State} */ (this.state);
    this.board.draw(page?.scene ?? state.scene);
    this.unlock();
    need("board-text").textContent = page?.text ?? state.text;
    this.drawStatus();
  }

  // ---- how things stand ----

  drawStatus() {
    const state = /** @type {State} */ (this.state);
    const status = need("status");
    const turn = typeof state.turn === "number" ? state.seats[state.turn] : null;
    const who = turn && called(turn);
    let words = "";
    if (this.page) words = this.page.told || say("start");
    else if (state.outcome) words = verdict(state);
    else if (!state.begun) words = say("not-begun");
    else if (this.sent) words = say(this.online ? "sending" : "kept");
    else if (state.turn === "chance") words = say("drawing");
    else if (turn && state.thinking) words = say("thinking", { name: who ?? "" });
    else if (turn && state.you.seats.includes(turn.seat)) {
      words = state.you.seats.length > 1 ? say("turn-of", { name: who ?? "" }) : say("your-turn");
    } else words = say("turn-of", { name: who ?? "" });
    if (status.textContent !== words) status.textContent = words;
    const mine = this.newest && state.choices !== null && !this.sent;
    main.classList.toggle("mine", mine);
    document.title = (mine ? "● " : "") + (main.dataset.title ?? "");
    need("now").hidden = !this.page;
  }

  /** @param {State} state */
  drawOffer(state) {
    const offer = need("offer");
    const open = state.offer;
    offer.hidden = !open;
    offer.replaceChildren();
    if (!open) return;
    const from = state.seats[open.seat];
    const mine = state.you.seats.filter((seat) => seat !== open.seat && !open.agreed.includes(seat) && state.seats[seat].status === "person");
    offer.append(h("p", {}, say(`offered-${open.what}`, { name: called(from) })));
    for (const seat of mine.slice(0, 1)) {
      /** @param {boolean} yes */
      const answer = (yes) => this.live.act("answer", { seat, yes, ...(open.what === "rematch" && { value: random(16) }) });
      offer.append(h("p", { class: "row" },
        h("button", { type: "button", class: "main", onclick: () => answer(true) }, say("accept")),
        h("button", { type: "button", onclick: () => answer(false) }, say("decline"))));
    }
    if (!mine.length) offer.append(h("p", { class: "soft" }, say("waits")));
  }

  /** What I may do besides moving. @param {State} state */
  drawTools(state) {
    const seated = state.you.seats.length > 0;
    const playing = seated && state.begun && !state.outcome;
    const own = seated ? state.seats[this.seat] : null;
    show("flip", state.seats.length === 2 && !state.scene.panels.length);
    show("resign", playing && state.seats.length === 2);
    show("draw", playing && state.seats.length === 2);
    show("takeback", playing && state.ply > 0);
    show("hand", playing && own?.status === "person");
    show("take", playing && own?.status === "computer");
    show("seat-link", seated);
    show("name-form", seated && own?.status === "person");
    need("sound").setAttribute("aria-pressed", String(memory.setting("sound")));
    need("confirm-moves").setAttribute("aria-pressed", String(memory.setting("confirm")));
    need("promise").textContent = state.commitment ?? "";
    show("promise-part", Boolean(state.commitment));
  }

  // ---- one screen, hidden hands ----

  /** Where hands are hidden and several sit at this screen, nobody sees another's. @param {State} state */
  drawCurtain(state) {
    const curtain = need("curtain");
    const { turn, you } = state;
    const due = state.hidden && !state.outcome && you.seats.length > 1 && typeof turn === "number"
      && you.seats.includes(turn) && you.as !== turn && state.seats[turn].status === "person";
    if (!due) {
      if (!curtain.hidden) main.inert = false;
      curtain.hidden = true;
      return;
    }
    const seat = state.seats[turn];
    curtain.replaceChildren(
      h("p", {}, say("pass-to", { name: called(seat) })),
      h("button", { type: "button", class: "main", onclick: () => this.live.view(turn) }, say("show-hand")));
    if (!curtain.hidden) return;
    curtain.hidden = false;
    main.inert = true;
    curtain.querySelector("button")?.focus();
  }

  // ---- what I do ----

  /** @param {string} move */
  async play(move) {
    this.forget();
    this.sent = true;
    this.pace.skip();
    if (!this.sent) return; // what had not been shown yet has changed the table
    this.drawStatus();
    await this.live.act("play", { seat: this.seat, move, n: /** @type {State} */ (this.state).n });
  }

  /**
   * Ask for choices that did not fit in what was sent; null when they cannot be had.
   * @param {string[]} atoms
   */
  async fetch(atoms) {
    const after = atoms.map((atom) => `&after=${encodeURIComponent(atom)}`).join("");
    const found = await this.live.ask(`/choices?${this.eyes}${after}`).catch(() => null);
    if (!found) this.note(say("failed"));
    else if (this.state) Object.assign(this.state.labels, found.labels);
    return found?.choices ?? null;
  }

  /** Ask why something cannot be. @param {string[]} atoms */
  async explain(atoms) {
    if (this.page || !this.state?.choices) return;
    this.forget();
    const { signal } = (this.question = new AbortController());
    try {
      const why = await this.live.ask("/explain", { as: this.seat, atoms }, signal);
      if (!signal.aborted) this.refuse(why);
    } catch (refusal) {
      if (!signal.aborted && !(refusal instanceof TypeError)) this.refuse(/** @type {Refusal} */ (refusal));
    }
  }

  /** What was asked or answered before is no longer of interest. */
  forget() {
    this.question.abort();
    this.desk.refuse(null);
  }

  /** @param {Refusal} refusal */
  refuse(refusal) {
    sound("refused");
    this.desk.refuse(refusal);
    this.input.refuse(refusal.cells ?? []);
  }

  /**
   * The house did not do what was asked.
   * @param {Refusal} refusal
   * @param {string} what
   */
  refused(refusal, what) {
    this.pace.skip();
    if (what === "play") this.sent = false;
    if (this.state) this.draw(this.state, [], true);
    if (what === "play") this.refuse(refusal);
    else this.desk.refuse(refusal);
  }

  /** @param {import("./types.js").MakeOffer["what"]} what */
  offer(what) {
    this.live.act("offer", { seat: this.seat, what, ...(what === "rematch" && { value: random(16) }) });
  }

  /** @param {number} seat @param {string} name */
  async sit(seat, name) {
    try {
      const { token } = await this.live.ask(`/seats/${seat}`, { name, value: random(16) });
      this.token = token;
      memory.keepSeat(TABLE, { token, seats: [seat], game: GAME, at: Date.now() });
      this.live.reopen(token);
    } catch (refusal) {
      if (refusal instanceof TypeError) this.note(say("failed"));
      else this.desk.refuse(/** @type {Refusal} */ (refusal));
    }
  }

  /** Sit where I see the board from my side, if I sit opposite. @param {State} state */
  async face(state) {
    const { seats, as } = state.you;
    if (memory.turned(TABLE) !== null || state.seats.length !== 2 || seats.length !== 1 || state.scene.panels.length) return;
    const start = state.ply ? (await this.live.ask(`/plies/0?${this.eyes}`)).scene : state.scene;
    /** @param {boolean} mine */
    const height = (mine) => {
      const side = start.pieces.filter((/** @type {any} */ piece) => piece.owner !== null && (piece.owner === (as ?? seats[0])) === mine);
      return side.reduce((/** @type {number} */ sum, /** @type {any} */ piece) => sum + piece.y, 0) / side.length;
    };
    if (height(false) - height(true) > start.height / 5) this.turn();
  }

  turn() {
    this.board.turn();
    memory.keepTurned(TABLE, this.board.flipped);
    this.input.light();
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.note(say("copied"));
    } catch {
      const field = /** @type {HTMLInputElement} */ (need("link"));
      field.hidden = false;
      field.value = text;
      field.select();
      this.note(say("copy-by-hand"));
    }
  }

  /** A word in passing. @param {string} text */
  note(text) {
    const note = need("note");
    note.textContent = text;
    note.hidden = false;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => { note.hidden = true; }, 4000);
  }

  async download() {
    const response = await fetch(`${this.live.path}/transcript`, { headers: this.live.headers }).catch(() => null);
    if (!response?.ok) return this.note(say("failed"));
    const link = h("a", { href: URL.createObjectURL(await response.blob()), download: `${GAME}-${TABLE}.jsonl` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  /** Ask before what cannot be undone. @param {string} question @param {() => void} then */
  sure(question, then) {
    const dialog = /** @type {HTMLDialogElement} */ (need("sure"));
    dialog.replaceChildren(h("form", { method: "dialog" },
      h("p", {}, question),
      h("p", { class: "row" },
        h("button", { value: "yes", class: "main" }, say("yes")),
        h("button", { value: "no", autofocus: true }, say("no")))));
    dialog.onclose = () => { if (dialog.returnValue === "yes") then(); };
    dialog.returnValue = "no";
    dialog.showModal();
  }

  /** @param {import("./live.js").Status} status */
  connection(status) {
    this.online = status === "live" || status === "polling";
    if (this.state) this.drawStatus();
    const sign = need("connection");
    sign.className = `connection ${status}`;
    sign.textContent = status === "live" ? "" : say(`connection-${status}`);
    sign.hidden = status === "live";
  }

  // ---- the page's own buttons ----

  wire() {
    /** @type {Record<string, () => void>} */
    const buttons = {
      flip: () => this.turn(),
      zoom: () => {
        main.classList.toggle("zoomed", !this.board.zoomed);
        this.board.zoom(!this.board.zoomed);
        need("zoom").setAttribute("aria-pressed", String(this.board.zoomed));
      },
      now: () => this.story.goto(this.story.last),
      resign: () => this.sure(say("sure-resign"), () => this.live.act("resign", { seat: this.seat })),
      draw: () => this.offer("draw"),
      takeback: () => this.offer("takeback"),
      hand: () => this.live.act("hand", { seat: this.seat }),
      take: () => this.live.act("take", { seat: this.seat }),
      "table-link": () => this.copy(link),
      "seat-link": () => this.copy(`${link}#seat=${this.token}`),
      download: () => this.download(),
      sound: () => this.toggle("sound"),
      "confirm-moves": () => this.toggle("confirm"),
    };
    for (const [id, act] of Object.entries(buttons)) need(id).addEventListener("click", act);
    need("seat-link").after(reach() || "");
    wirePanes();
    need("name-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const name = /** @type {HTMLInputElement} */ (need("my-name")).value.trim();
      if (!name) return;
      memory.keepName(name);
      this.live.act("rename", { seat: this.seat, name });
    });
    // Who has seen enough taps, or presses a key, and it goes on; that means nothing else.
    for (const kind of ["pointerdown", "click", "keydown"]) {
      need("board").addEventListener(kind, (event) => {
        const follows = kind === "click" && this.skipped;
        this.skipped = kind === "pointerdown" && this.pace.behind;
        if (!this.pace.behind && !follows) return;
        if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
        event.stopImmediatePropagation();
        event.preventDefault();
        this.pace.skip();
      }, { capture: true });
    }
    document.addEventListener("visibilitychange", () => this.pace.skip());
    need("board").addEventListener("fitted", () => show("zoom", this.board.small || this.board.zoomed));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) this.input.cancel();
    });
    document.addEventListener("click", (event) => {
      const inside = event.target instanceof Element && event.target.closest("#board, #desk, button, a, input, label, summary");
      if (!inside) this.input.cancel();
    });
  }

  /** @param {"sound" | "confirm"} which */
  toggle(which) {
    memory.keepSetting(which, !memory.setting(which));
    if (this.state) this.drawTools(this.state);
  }
}

/** What makes it another situation to choose in. @param {State} state */
function momentOf(state) {
  return `${state.ply} ${state.turn} ${state.you.as}`;
}

/** @param {string} id @param {boolean} yes */
function show(id, yes) {
  need(id).hidden = !yes;
}

/** The token of one's seats: from the address, where it does not stay, or remembered. */
function takeSeat() {
  const found = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (!found) return memory.seats()[TABLE]?.token ?? null;
  memory.keepSeat(TABLE, { token: found, seats: [], game: GAME, at: Date.now() });
  history.replaceState(null, "", location.pathname + location.search);
  return found;
}

new Table();
