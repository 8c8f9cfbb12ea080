// This device as a house: requests and live connections that a worker answers instead of a server.
// The worker is started by the first of them.
import { block, lang } from "./words.js";

/** The parts that the house gives along, or that lie beside the static pages. @typedef {{at: string, size: number}} Parts */

/** @type {Partial<Parts>} */
const parts = block("parts");

/** Whether this page knows where the parts are. */
export const possible = Boolean(parts.at);

/** @type {Worker | null} */
let worker = null;
let last = 0;
/** What waits for an answer, by number. @type {Map<number, (message: any) => void>} */
const listeners = new Map();

/** How the start goes: between 0 and 1 while the parts are loaded. @param {number} share */
function tellProgress(share) {
  document.dispatchEvent(new CustomEvent("device-loading", { detail: { share } }));
}

function start() {
  if (worker) return worker;
  const started = (worker = new Worker(new URL("./device_worker.js", import.meta.url), { type: "module" }));
  const fail = () => {
    worker = null; // the next request tries again
    tellProgress(1);
    for (const listen of [...listeners.values()]) listen({ kind: "failed" });
    listeners.clear();
  };
  started.onmessage = ({ data }) => {
    if (data.kind === "loading") tellProgress(Math.min(0.99, data.loaded / (parts.size || 1)));
    else if (data.kind === "ready") tellProgress(1);
    else if (data.kind === "failed") fail();
    else listeners.get(data.number)?.(data);
  };
  started.onerror = fail;
  tellProgress(0);
  started.postMessage({ kind: "start", parts: new URL(parts.at ?? "", location.href).href });
  return started;
}

/** Begin to load, before anything is asked. */
export const warm = () => void (possible && start());

/**
 * A request, answered on this device; like `fetch`.
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export function request(address, how = {}) {
  const number = (last += 1);
  const headers = new Headers(how.headers);
  const token = (headers.get("Authorization") ?? "").replace(/^Bearer /, "");
  return new Promise((done, failed) => {
    /** @type {ReadableStreamDefaultController<Uint8Array> | null} */
    let lines = null;
    const stop = () => {
      listeners.delete(number);
      worker?.postMessage({ kind: "cancel", number });
    };
    how.signal?.addEventListener("abort", () => {
      stop();
      failed(how.signal?.reason);
      lines?.error(how.signal?.reason);
      lines = null;
    });
    listeners.set(number, (message) => {
      if (message.kind === "failed") failed(new TypeError("this device cannot answer"));
      else if (message.kind === "answer") {
        listeners.delete(number);
        done(new Response(message.body, { status: message.status, headers: { "Content-Type": "application/json" } }));
      } else if (message.line === null) {
        listeners.delete(number);
        lines?.close();
      } else {
        if (!lines) {
          const body = new ReadableStream({ start: (control) => { lines = control; }, cancel: stop });
          done(new Response(body, { headers: { "Content-Type": "application/x-ndjson" } }));
        }
        lines?.enqueue(new TextEncoder().encode(`${message.line}\n`));
      }
    });
    start().postMessage({ kind: "request", number, method: how.method ?? "GET", address, body: String(how.body ?? ""), token, lang });
  });
}

/**
 * A live connection to a table of this device.
 * @param {string} address
 * @param {(text: string) => void} heard
 * @param {() => void} closed
 * @returns {{send: (text: string) => void, end: () => void}}
 */
export function link(address, heard, closed) {
  const number = (last += 1);
  listeners.set(number, (message) => {
    if (message.kind === "heard") return heard(message.text);
    listeners.delete(number);
    closed();
  });
  start();
  return {
    send: (text) => worker?.postMessage({ kind: "send", number, address, text }),
    end: () => {
      listeners.delete(number);
      worker?.postMessage({ kind: "end", number });
    },
  };
}

/** The same with the part of a WebSocket that `live.js` uses. */
export class DeviceSocket {
  /** @param {string} path */
  constructor(path) {
    /** @type {number} */
    this.readyState = WebSocket.CONNECTING;
    /** @type {(() => void) | null} */
    this.onopen = null;
    /** @type {((event: {data: string}) => void) | null} */
    this.onmessage = null;
    /** @type {(() => void) | null} */
    this.onclose = null;
    this.link = link(path, (data) => this.onmessage?.({ data }), () => this.shut());
    queueMicrotask(() => {
      if (this.readyState !== WebSocket.CONNECTING) return;
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    });
  }

  /** @param {string} text */
  send(text) {
    this.link.send(text);
  }

  close() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.link.end();
    this.shut();
  }

  shut() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.();
  }
}
