// The connection to a table: a socket that comes back by itself, long polling where sockets do not
// get through, and a queue of what has not been answered yet.
//
// Answers may overtake each other. The number of the last event is durable, so it never goes back,
// not even when the house is started again: what has a lower one than what is known is old, and is
// dropped, whichever way it came.
import { lang } from "./words.js";

/**
 * The table as the house told it, and when that was.
 * @typedef {import("./types.js").TableState & {heard: number}} State
 */
/** @typedef {import("./types.js").LogItem} LogItem */
/** @typedef {import("./types.js").StaleRefusal} Refusal */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {"connecting" | "live" | "polling" | "lost"} Status */
/**
 * What to do when something arrives.
 * @typedef {{
 *   state: (state: State) => void,
 *   events: (state: State, items: LogItem[]) => void,
 *   presence: (present: boolean[]) => void,
 *   refused: (refusal: Refusal, action: Action) => void,
 *   status: (status: Status) => void,
 * }} Ears
 */
/** @typedef {{action: Action, done: (ok: boolean) => void}} Waiting */

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 15_000;
const SILENCE = 8_000; // a socket that has not opened by then is given up
const TRIES = 3; // failed sockets before polling begins
const WAIT = 25; // seconds that one poll may take
const LATE = 10_000; // what a poll may take longer than that
const DUE = 6_000; // an answer or a computer's move that has not come by then is asked after
const QUIET = 120_000; // so long nothing need happen; then a socket that looks alive is checked

export class Live {
  /**
   * @param {string} table
   * @param {string | null} token
   * @param {Ears} ears
   */
  constructor(table, token, ears) {
    this.table = table;
    this.token = token;
    this.ears = ears;
    /** @type {State | null} */
    this.state = null;
    /** @type {number | null} */
    this.as = null;
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    /** The socket over which the house has spoken. @type {WebSocket | null} */
    this.greeted = null;
    this.failures = 0;
    /** Ends the long polling; null while there is none. @type {AbortController | null} */
    this.poller = null;
    this.closed = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** Until somebody asks why nothing comes. @type {number | undefined} */
    this.patience = undefined;
    /** When something was heard last. */
    this.heard = 0;
    /** The event that the house says it has made of what was asked for. */
    this.promised = 0;
    addEventListener("online", () => this.hurry());
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

  /** Through whose eyes to look, as a part of an address. */
  get eyes() {
    return this.as === null ? "" : `&as=${this.as}`;
  }

  /** The last event known; null where the state is not that of the eyes that are wanted. */
  get since() {
    return this.state && this.rightEyes(this.state) ? this.state.n : null;
  }

  /** @returns {Record<string, string>} */
  get headers() {
    return {
      "Accept-Language": lang,
      ...(this.token && { Authorization: `Bearer ${this.token}` }),
    };
  }

  /**
   * Ask the house; a refusal is thrown as what the house said. Where it does not answer, or
   * something that stands before it does in its place, a TypeError is thrown.
   * @param {string} path  below the table's own
   * @param {unknown} [body]  sent by POST, if there is one
   * @param {AbortSignal} [signal]  when the answer is no longer wanted
   * @returns {Promise<any>}
   */
  async ask(path, body, signal) {
    const joint = path.includes("?") ? "&" : "?";
    const response = await fetch(`${this.path}${path}${joint}lang=${lang}`, {
      headers: { ...this.headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      signal,
    });
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return answer;
    throw answer?.code ? answer : new TypeError(`no answer from the house: ${response.status}`);
  }

  // ---- coming and going ----

  open() {
    if (this.closed || this.socket) return;
    clearTimeout(this.timer);
    this.ears.status(this.polling ? "polling" : this.state ? "lost" : "connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}/live`);
    this.socket = socket;
    const silence = setTimeout(() => this.lose(socket), SILENCE);
    socket.onopen = () => {
      socket.send(JSON.stringify({ do: "hello", token: this.token, as: this.as, since: this.since, lang }));
    };
    socket.onmessage = (event) => {
      clearTimeout(silence);
      if (this.socket !== socket) return;
      if (this.failures || this.polling || socket !== this.greeted) {
        this.failures = 0;
        this.poller?.abort();
        this.poller = null;
        this.greeted = socket;
        this.ears.status("live");
        // What was not answered is sent again: the house knows what it has already done.
        for (const { action } of this.waiting.values()) socket.send(JSON.stringify(action));
      }
      this.hear(JSON.parse(event.data));
    };
    socket.onclose = () => {
      clearTimeout(silence);
      this.lose(socket);
    };
  }

  /** A socket is closed, or of no use. @param {WebSocket} socket */
  lose(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    socket.close();
    if (!this.closed) this.retry();
  }

  /** Try again, later and later; after some failures, ask without a socket meanwhile. */
  retry() {
    this.failures += 1;
    this.ears.status(this.polling ? "polling" : "lost");
    if (this.failures >= TRIES && !this.polling) this.poll();
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (this.failures - 1));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), pause * (0.7 + 0.6 * Math.random()));
  }

  /** Try again at once: the network, or the reader, is back. */
  hurry() {
    if (!this.socket && !this.closed) this.open();
    else if (performance.now() - this.heard > DUE) this.check();
  }

  /** Live without a socket, until one opens. */
  async poll() {
    const { signal } = (this.poller = new AbortController());
    let wait = 0; // the first answer comes at once: it says that there is a line
    while (!signal.aborted && !this.closed) {
      try {
        for (const waiting of [...this.waiting.values()]) await this.post(waiting);
        const { since } = this;
        const path = since === null ? `?${this.eyes.slice(1)}` : `/events?since=${since}&wait=${wait}${this.eyes}`;
        const late = AbortSignal.timeout(1000 * wait + LATE);
        const answer = await this.ask(path, undefined, AbortSignal.any([signal, late]));
        if (signal.aborted) return;
        this.hear(answer);
        this.ears.status("polling");
        wait = WAIT;
      } catch {
        if (signal.aborted) return;
        wait = 0;
        this.ears.status("lost");
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    }
  }

  /** Something is due: if nothing is heard until then, ask. */
  listen() {
    clearTimeout(this.patience);
    const known = this.state?.n ?? 0;
    const due = this.waiting.size > 0 || this.promised > known || this.state?.thinking;
    if (due || (this.state && !this.state.outcome)) {
      this.patience = setTimeout(() => this.check(), due ? DUE : QUIET);
    }
  }

  /**
   * Ask how things stand, because nothing is heard. A socket that has kept something to itself, or
   * does not carry what is sent, is replaced.
   */
  async check() {
    const { socket, since } = this;
    if (!this.state || since === null || (socket && socket !== this.greeted)) return;
    let fine = false;
    try {
      const answer = await this.ask(`/events?since=${since}${this.eyes}`, undefined, AbortSignal.timeout(SILENCE));
      if (this.socket !== socket) return; // another has taken over meanwhile
      fine = answer.n <= this.state.n && this.waiting.size === 0;
      this.hear(answer);
    } catch {
      // No answer: the socket is not alive either.
    }
    if (!fine && socket) this.lose(socket);
  }

  // ---- hearing ----

  /** Whether a state is that of the eyes that are wanted. @param {State} state */
  rightEyes(state) {
    return this.as === null || state.you.as === this.as;
  }

  /** @param {any} message */
  hear(message) {
    this.heard = performance.now();
    const known = this.state?.n ?? 0;
    if (message.type === "state") {
      if (message.n < known || !this.rightEyes(message)) return;
      this.state = /** @type {State} */ ({ ...message, heard: this.heard });
      this.as = this.state.you.as;
      this.ears.state(this.state);
    } else if (message.type === "events") {
      if (this.state) this.hearEvents(this.state, message);
    } else if (message.type === "done") {
      this.settle(message.id, true);
      this.promised = Math.max(this.promised, message.n);
    } else if (message.type === "refused") {
      const waiting = this.settle(message.id, false);
      if (message.state) this.hear({ ...message.state, type: "state" });
      if (message.state?.n > (this.state?.n ?? 0)) this.check(); // it was for other eyes
      if (waiting) this.ears.refused(message, waiting.action);
    } else if (message.type === "presence") {
      if (this.state) {
        this.state.seats = this.state.seats.map((seat, i) => ({ ...seat, present: message.present[i] }));
      }
      this.ears.presence(message.present);
    }
    this.listen();
  }

  /**
   * @param {State} state
   * @param {any} message
   */
  hearEvents(state, message) {
    // An answer to who asked has the whole state; what a socket tells, only what has changed of it.
    const whole = message.state.you !== undefined;
    if (message.n < state.n || (whole ? !this.rightEyes(message.state) : message.n === state.n)) return;
    if (!whole && message.events[0]?.n > state.n + 1) return void this.check();
    const fresh = message.events.filter((/** @type {LogItem} */ item) => item.n > state.n);
    this.merge(message);
    this.ears.events(/** @type {State} */ (this.state), fresh);
  }

  /**
   * Take over what changed: of the state, and within it of the scene, key by key.
   * @param {any} message
   */
  merge(message) {
    const state = /** @type {State} */ (this.state);
    const known = new Set(state.log.map((item) => item.n));
    const log = message.state.log ?? [
      ...state.log, ...message.events.filter((/** @type {LogItem} */ item) => !known.has(item.n)),
    ];
    const scene = { ...state.scene, ...message.state.scene };
    this.state = { ...state, ...message.state, scene, log, n: message.n, heard: this.heard };
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
      this.listen();
      if (this.socket?.readyState === WebSocket.OPEN && this.socket === this.greeted) {
        this.socket.send(JSON.stringify(action));
      } else if (this.polling) this.post(waiting).catch(() => this.ears.status("lost"));
    });
  }

  /** @param {Waiting} waiting */
  async post({ action }) {
    try {
      const { n } = await this.ask("/events", action);
      this.hear({ type: "done", id: action.id, n });
    } catch (refusal) {
      if (refusal instanceof TypeError) throw refusal; // the network: it stays in the queue
      this.hear({ type: "refused", .../** @type {object} */ (refusal), id: action.id });
    }
  }

  /**
   * See the table as another of one's seats.
   * @param {number} seat
   */
  view(seat) {
    this.as = seat;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ do: "view", as: seat }));
    else this.ask(`?as=${seat}`).then((state) => this.hear(state), () => this.ears.status("lost"));
  }

  /** Come back as somebody else, for example with a seat. @param {string | null} token */
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

/**
 * Some random bytes in hexadecimal: a value for the shuffle, or a name for an action.
 * @param {number} bytes
 */
export function random(bytes) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
