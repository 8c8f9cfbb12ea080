// The one door to the house, for all scripts: requests and live connections. A server answers, or
// this device in its place: for the tables that it keeps, on pages without any server
// (`escale static`), and where the network is gone, for the games that were taken along.
import { taken } from "./memory.js";
import { isHere } from "./words.js";

/** Whether there is no server behind these pages. */
export const alone = document.documentElement.dataset.house === "device";


/** The device as a house; fetched when it is first needed. */
export const device = () => import("./device.js");

/** What a request is about: the table or the game in its address. @param {string} path */
function subject(path) {
  const [, , kind, name] = path.split("?")[0].split("/");
  return { kind, name: decodeURIComponent(name ?? "") };
}

/**
 * Ask the house, like `fetch`; a TypeError if nothing answers.
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function request(path, how) {
  const { kind, name } = subject(path);
  if (alone || (kind === "tables" && isHere(name))) return (await device()).request(path, how);
  const away = kind === "games" && taken()[name];
  try {
    const answer = await fetch(path, how);
    if (!away || answer.status < 502) return answer;
  } catch (failure) {
    if (!away || how?.signal?.aborted) throw failure;
  }
  return (await device()).request(path, how);
}

/** A live connection to this device, with the part of a WebSocket that `live.js` uses. */
class DeviceSocket {
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
    /** @type {{send: (text: string) => void, end: () => void} | null} */
    this.link = null;
    device().then(({ link }) => {
      if (this.readyState === WebSocket.CLOSED) return;
      this.link = link(path, (data) => this.onmessage?.({ data }), () => this.shut());
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    }, () => this.shut());
  }

  /** @param {string} text */
  send(text) {
    this.link?.send(text);
  }

  close() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.link?.end();
    this.shut();
  }

  shut() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.();
  }
}

/**
 * A live connection to a table: a WebSocket, or the same to this device.
 * @param {string} table
 * @param {string} path
 * @returns {WebSocket}
 */
export function connect(table, path) {
  if (alone || isHere(table)) return /** @type {any} */ (new DeviceSocket(path));
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}${path}`);
}
