// The connection to a table: a socket that comes back by itself, long polling (polling.js) where
// sockets do not get through, and a queue of what has not been answered yet.
//
// Answers may overtake each other. The number of the last event is durable, so it never goes back,
// not even when the house is started again: what has a lower one than what is known is old, and is
// dropped, whichever way it came.
import { ask, embedded, random, servedHere } from "./ask.js";
import { poll, post, watchAnswer } from "./polling.js";
import { isKnown, learn } from "./state_of_play.js";
import { stateAfter, wholeState } from "./table_state.js";
import { lang } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {import("./types.js").StaleRefusal} Refusal */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./table_state.js").Listeners} Listeners */
/** @typedef {{action: Action, done: (ok: boolean) => void}} Waiting */

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 15_000;
const OPENING_MS = 8_000; // a socket that has not opened by then is given up
const LOADING_MS = 300_000; // the same for this device, which loads its house first
const SOCKET_TRIES = 3; // failed sockets before polling begins
const ANSWER_MS = 6_000; // an answer or a computer's move that has not come by then is asked after
const QUIET_MS = 120_000; // after that long without a message, a socket that looks alive is checked

export class Live {
  /**
   * @param {string} table
   * @param {string | null} token
   * @param {Listeners} listeners
   */
  constructor(table, token, listeners) {
    this.table = table;
    this.token = token;
    this.listeners = listeners;
    /** Whether this device is the house of the table. */
    this.here = servedHere(table);
    /** Its connections, once they were fetched. @type {typeof import("./reach.js") | null} */
    this.reach = null;
    /** The table, as far as it is known. @type {State | null} */
    this.state = null;
    /** The seat to see the table as; null for the house's choice. @type {number | null} */
    this.as = null;
    /** Actions that have not been answered, by their ids. @type {Map<string, Waiting>} */
    this.waiting = new Map();
    /** The socket that is open, or that opens. @type {WebSocket | null} */
    this.socket = null;
    /** The socket over which the house has spoken. @type {WebSocket | null} */
    this.greeted = null;
    /** How many sockets have failed since the last that did not. */
    this.failures = 0;
    /** Ends the long polling; null while there is none. @type {AbortController | null} */
    this.poller = null;
    /** Until the next socket is tried. @type {number | undefined} */
    this.timer = undefined;
    /** Until the reader is told that an answer is late, and whether that was said. @type {number | undefined} */
    this.delay = undefined;
    this.late = false;
    /** Until the house is asked why nothing comes. @type {number | undefined} */
    this.patience = undefined;
    /** The time when the last message was received. */
    this.received = 0;
    /** The reason why the house could not show the table at the last request. */
    this.reason = "";
    /** The event that the house says it has made of what was asked for. */
    this.promised = 0;
    addEventListener("online", () => this.hurry());
    addEventListener("offline", () => this.socket && !this.here && this.lose(this.socket)); // it would notice much later
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.hurry();
    });
    addEventListener("pagehide", () => this.socket?.close());
  }

  get path() {
    return `/api/tables/${encodeURIComponent(this.table)}`;
  }

  get polling() {
    return this.poller !== null;
  }

  /** The seat to see the table as, as a part of an address. */
  get viewerQuery() {
    return this.as === null ? "" : `&as=${this.as}`;
  }

  /** The last event known; null where the state is not as the wanted seat sees it. */
  get since() {
    return this.state && this.isAsWanted(this.state) ? this.state.n : null;
  }

  /**
   * Ask the house about this table, as `ask` does.
   * @param {string} path  below the table's own
   * @param {unknown} [body]
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  ask(path, body, signal) {
    return ask(this.path + path, { body, token: this.token, signal });
  }

  // ---- coming and going ----

  open() {
    if (this.socket) return;
    clearTimeout(this.timer);
    const waits = this.state || this.reason ? "lost" : "connecting";
    this.listeners.status(this.polling && !this.reason ? "polling" : waits, this.reason);
    const path = `${this.path}/live`;
    if (this.here && !this.reach) return void import("./reach.js").then((reach) => { this.reach = reach; this.open(); });
    const socket = this.reach?.connect(path) ?? new WebSocket(`${location.origin.replace("http", "ws")}${path}${embedded ? "?watch=1" : ""}`);
    this.socket = socket;
    const silence = setTimeout(() => this.lose(socket), this.here ? LOADING_MS : OPENING_MS);
    socket.onopen = () => {
      socket.send(JSON.stringify({ do: "hello", token: this.token, as: this.as, since: this.since, lang }));
    };
    socket.onmessage = (event) => {
      clearTimeout(silence);
      if (this.socket !== socket) return;
      const message = JSON.parse(event.data);
      if (socket !== this.greeted && message.type === "refused") return this.refuse(message);
      if (this.failures || this.polling || socket !== this.greeted) {
        this.failures = 0;
        this.poller?.abort();
        this.poller = null;
        this.greeted = socket;
        this.reason = "";
        this.listeners.status("live");
        // Unanswered actions are sent again: the house recognises those that it has done.
        for (const { action } of this.waiting.values()) socket.send(JSON.stringify(action));
      }
      this.receive(message);
    };
    socket.onclose = () => {
      clearTimeout(silence);
      this.lose(socket);
    };
  }

  /** Remember why the house cannot show the table; one that is gone has a page for it. @param {Refusal} refusal */
  refuse(refusal) {
    this.reason = refusal.message;
    if (refusal.code === "unknown-table") this.here ? this.listeners.gone() : location.reload();
  }

  /** A socket is closed, or of no use. @param {WebSocket} socket */
  lose(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    this.late = false;
    socket.close();
    this.retry();
  }

  /** Try again, later and later; after some failures, ask without a socket meanwhile. */
  retry() {
    this.failures += 1;
    this.listeners.status(this.polling && !this.reason ? "polling" : "lost", this.reason);
    if (this.failures >= SOCKET_TRIES && !this.polling && !this.here) poll(this);
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (this.failures - 1));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), pause * (0.7 + 0.6 * Math.random()));
  }

  /** Try again at once: the network is back, or the reader. */
  hurry() {
    if (!this.socket) this.open();
    else if (performance.now() - this.received > ANSWER_MS) this.check();
  }

  /** Something is due: if nothing is received until then, ask. */
  expect() {
    clearTimeout(this.patience);
    watchAnswer(this);
    const known = this.state?.n ?? 0;
    const due = this.waiting.size > 0 || this.promised > known || this.state?.thinking;
    if (due || (this.state && !this.state.outcome)) {
      this.patience = setTimeout(() => this.check(), due ? ANSWER_MS : QUIET_MS);
    }
  }

  /**
   * Request the state, because nothing is received. A socket that has lost a message, in either
   * direction, is replaced.
   */
  async check() {
    const { socket, since } = this;
    if (!this.state || since === null || (socket && socket !== this.greeted)) return;
    let fine = false;
    try {
      const answer = await this.ask(`/events?since=${since}${this.viewerQuery}`, undefined, AbortSignal.timeout(OPENING_MS));
      if (this.socket !== socket) return; // another socket has taken over meanwhile
      fine = answer.n <= this.state.n && this.waiting.size === 0;
      this.receive(answer);
    } catch {
      // No answer: the socket is not alive either.
    }
    if (!fine && socket) this.lose(socket);
  }

  // ---- receiving ----

  /** Whether a state is as the wanted seat sees it, or that seat is no longer ours. @param {{you: State["you"]}} state */
  isAsWanted(state) {
    return this.as === null || state.you.as === this.as || !state.you.seats.includes(this.as);
  }

  /** @param {any} message */
  receive(message) {
    this.received = performance.now();
    const known = this.state?.n ?? 0;
    const { board } = (message.scene ?? message.state?.scene) ?? {};
    if (board && !isKnown(board)) {
      learn(board).then(() => this.receive(message), () => this.socket?.close());
    } else if (message.type === "state") {
      if (message.n < known || !this.isAsWanted(message)) return;
      this.state = wholeState(message, this.state, this.received);
      this.as = this.state.you.as;
      this.listeners.state(this.state);
    } else if (message.type === "events") {
      if (this.state) this.receiveEvents(this.state, message);
    } else if (message.type === "done") {
      this.settle(message.id, true);
      this.promised = Math.max(this.promised, message.n);
    } else if (message.type === "refused") {
      const waiting = this.settle(message.id, false);
      if (message.state) this.receive({ ...message.state, type: "state" });
      if (message.state?.n > (this.state?.n ?? 0)) this.check(); // it was for another seat
      if (waiting) this.listeners.refused(message, waiting.action);
    } else if (message.type === "presence") {
      if (this.state) {
        this.state.seats = this.state.seats.map((seat, i) => ({ ...seat, present: message.present[i] }));
      }
      this.listeners.presence(message.present);
    }
    this.expect();
  }

  /**
   * @param {State} state
   * @param {any} message
   */
  receiveEvents(state, message) {
    // An answer to a request has the whole state; what a socket sends, only what has changed of it.
    const whole = message.state.you !== undefined;
    if (message.n < state.n || (whole ? !this.isAsWanted(message.state) : message.n === state.n)) return;
    if (!whole && message.events[0]?.n > state.n + 1) return void this.check();
    const { after, fresh } = stateAfter(state, message, this.received);
    this.state = after;
    this.listeners.events(after, fresh);
  }

  /** @param {string} id @param {boolean} ok */
  settle(id, ok) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.done(ok);
    return waiting;
  }

  // ---- acting ----

  /**
   * Do something at the table. Resolves when the house has done it, or refused it.
   * @param {Action["do"]} what
   * @param {Record<string, unknown>} [more]
   * @returns {Promise<boolean>}
   */
  act(what, more = {}) {
    const action = /** @type {Action} */ ({ do: what, id: crypto.randomUUID?.() ?? random(16), ...more });
    return new Promise((done) => {
      const waiting = { action, done };
      this.waiting.set(action.id, waiting);
      this.expect();
      if (this.socket?.readyState === WebSocket.OPEN && this.socket === this.greeted) {
        this.socket.send(JSON.stringify(action));
      } else if (this.polling) post(this, waiting).catch(() => this.listeners.status("lost"));
    });
  }

  /**
   * See the table as another of the reader's seats, or as a spectator.
   * @param {number | null} seat
   */
  view(seat) {
    this.as = seat;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ do: "view", as: seat }));
    else this.ask(`?${this.viewerQuery}`).then((state) => this.receive(state), () => this.listeners.status("lost"));
  }

  /** Connect again with another token, for example after sitting down. @param {string | null} token */
  reopen(token) {
    this.token = token;
    this.state = null;
    this.as = null;
    this.poller?.abort();
    this.poller = null;
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.open();
  }
}
