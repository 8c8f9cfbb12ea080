// The connection to a table: a socket that comes back by itself, long polling where sockets do not
// get through, and a queue of what has not been answered yet.
import { lang } from "./words.js";

/** @typedef {import("./types.js").TableState} State */
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
    this.polling = false;
    this.closed = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.hurry();
    });
    addEventListener("pagehide", () => this.socket?.close());
  }

  get path() {
    return `/api/tables/${encodeURIComponent(this.table)}`;
  }

  /** @returns {Record<string, string>} */
  get headers() {
    return {
      "Accept-Language": lang,
      ...(this.token && { Authorization: `Bearer ${this.token}` }),
    };
  }

  /**
   * Ask the house; a refusal is thrown as what the house said.
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
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw answer;
    return answer;
  }

  // ---- coming and going ----

  open() {
    if (this.closed || this.socket) return;
    clearTimeout(this.timer);
    this.ears.status(this.polling ? "polling" : this.state ? "lost" : "connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}/live`);
    this.socket = socket;
    const silence = setTimeout(() => socket.close(), SILENCE);
    socket.onopen = () => {
      socket.send(JSON.stringify({
        do: "hello", token: this.token, as: this.as, since: this.state?.n ?? null, lang,
      }));
    };
    socket.onmessage = (event) => {
      clearTimeout(silence);
      if (this.socket !== socket) return;
      if (this.failures || this.polling || socket !== this.greeted) {
        this.failures = 0;
        this.polling = false;
        this.greeted = socket;
        this.ears.status("live");
        // What was not answered is sent again: the house knows what it has already done.
        for (const { action } of this.waiting.values()) socket.send(JSON.stringify(action));
      }
      this.hear(JSON.parse(event.data));
    };
    socket.onclose = () => {
      clearTimeout(silence);
      if (this.socket !== socket) return;
      this.socket = null;
      if (!this.closed) this.retry();
    };
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
  }

  /** Live without a socket, until one opens. */
  async poll() {
    this.polling = true;
    while (this.polling && !this.closed) {
      try {
        const seen = this.as === null ? "" : `&as=${this.as}`;
        if (this.state) this.hear(await this.ask(`/events?since=${this.state.n}&wait=${WAIT}${seen}`));
        else this.hear(await this.ask(`?${seen.slice(1)}`));
        if (!this.polling) return;
        this.ears.status("polling");
        for (const waiting of [...this.waiting.values()]) await this.post(waiting);
      } catch {
        if (this.polling) this.ears.status("lost");
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    }
  }

  // ---- hearing ----

  /** @param {any} message */
  hear(message) {
    if (message.type === "state") {
      this.state = message;
      this.as = message.you.as;
      this.ears.state(message);
    } else if (message.type === "events") {
      if (!this.state || (message.n <= this.state.n && !message.state)) return;
      const fresh = message.events.filter((/** @type {LogItem} */ item) => item.n > (this.state?.n ?? 0));
      this.merge(message);
      this.ears.events(this.state, fresh);
    } else if (message.type === "done") {
      this.settle(message.id, true);
    } else if (message.type === "refused") {
      const waiting = this.settle(message.id, false);
      if (message.state) this.hear({ ...message.state, type: "state" });
      if (waiting) this.ears.refused(message, waiting.action);
    } else if (message.type === "presence") {
      if (this.state) {
        this.state.seats = this.state.seats.map((seat, i) => ({ ...seat, present: message.present[i] }));
      }
      this.ears.presence(message.present);
    }
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
    this.state = { ...state, ...message.state, scene, log, n: message.n };
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
      if (this.socket?.readyState === WebSocket.OPEN && this.socket === this.greeted) {
        this.socket.send(JSON.stringify(action));
      } else if (this.polling) this.post(waiting).catch(() => this.ears.status("lost"));
    });
  }

  /** @param {Waiting} waiting */
  async post({ action }) {
    try {
      await this.ask("/events", action);
      this.hear({ type: "done", id: action.id });
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
    else this.ask(`?as=${seat}`).then((state) => this.hear(state));
  }

  /** Come back as somebody else, for example with a seat. @param {string | null} token */
  reopen(token) {
    this.token = token;
    this.state = null;
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
