// A table without a socket: actions are posted, and events are requested again and again. What is late
// is told.

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("./live.js").Waiting} Waiting */

const WAIT_SECONDS = 25; // seconds that the house may keep one request until something happens
const GRACE_MS = 10_000; // milliseconds that the answer may take longer than that
const RETRY_MS = 2_000; // milliseconds after a request that failed
const LATE_MS = 2_000; // an answer that has not come by then is said to be late

/**
 * Live without a socket, until one opens.
 * @param {Live} live
 */
export async function poll(live) {
  const { signal } = (live.poller = new AbortController());
  let wait = 0; // the first answer comes at once: it shows that the connection works
  while (!signal.aborted) {
    try {
      for (const waiting of [...live.waiting.values()]) await post(live, waiting);
      const { since, viewerQuery } = live;
      const path = since === null ? `?${viewerQuery.slice(1)}` : `/events?since=${since}&wait=${wait}${viewerQuery}`;
      const late = AbortSignal.timeout(1000 * wait + GRACE_MS);
      const answer = await live.ask(path, undefined, AbortSignal.any([signal, late]));
      if (signal.aborted) return;
      live.receive(answer);
      live.reason = "";
      live.listeners.status("polling");
      wait = WAIT_SECONDS;
    } catch (failure) {
      if (signal.aborted) return;
      wait = 0;
      live.reason = failure instanceof Error ? "" : /** @type {any} */ (failure)?.message ?? "";
      live.listeners.status("lost", live.reason);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/**
 * Send an action; one that the network does not carry stays in the queue.
 * @param {Live} live
 * @param {Waiting} waiting
 */
export async function post(live, { action }) {
  try {
    const { n } = await live.ask("/events", action);
    live.receive({ type: "done", id: action.id, n });
  } catch (refusal) {
    if (refusal instanceof TypeError) throw refusal;
    live.receive({ type: "refused", .../** @type {object} */ (refusal), id: action.id });
  }
}

/**
 * Tell the reader when an answer is late that a socket should bring, and when it has come.
 * @param {Live} live
 */
export function watchAnswer(live) {
  clearTimeout(live.delay);
  const due = live.waiting.size > 0;
  if (due === live.late) return;
  const tell = () => {
    if (!live.socket || live.socket !== live.greeted) return;
    live.late = due;
    live.listeners.status(due ? "polling" : "live");
  };
  if (due) live.delay = setTimeout(tell, LATE_MS);
  else tell();
}
