// The one door to the house, for all scripts: requests and live connections. A server answers, or
// this device in its place: for the tables that it keeps, on pages without any server
// (`escale static`), and where the network is gone, for the games that were taken along.
import { taken } from "./memory.js";
import { isHere, lang } from "./words.js";

/**
 * The headers of a request: the page's language, and the token of the reader's seats.
 * @param {string | null} [token]
 * @returns {Record<string, string>}
 */
export function headers(token) {
  return { "Accept-Language": lang, ...(token && { Authorization: `Bearer ${token}` }) };
}

/**
 * Send a request to the house; a refusal is thrown as the object that the house sent. If the house
 * does not answer, or a proxy answers in its place, a TypeError is thrown.
 * @param {string} path
 * @param {{body?: unknown, token?: string | null, signal?: AbortSignal}} [how]  a body is sent by
 *   POST; the signal says when the answer is no longer wanted
 * @returns {Promise<any>}
 */
export async function ask(path, { body, token, signal } = {}) {
  const joint = path.includes("?") ? "&" : "?";
  const response = await request(`${path}${joint}lang=${lang}`, {
    headers: { ...headers(token), ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    signal,
  });
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw answer?.code ? answer : new TypeError(`no answer from the house: ${response.status}`);
}

/**
 * Some random bytes in hexadecimal: a value for the fair random, or an id for an action.
 * @param {number} bytes
 */
export function random(bytes) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether there is no server behind these pages. */
export const alone = document.documentElement.dataset.house === "device";


// Pages without a server are kept by this browser once they were shown.
if (alone) import("./worker.js").then(({ allowed, startWorker }) => { if (allowed()) void startWorker(); });

/** Whether this page is shown in a frame of another site: nobody is known there. */
export const embedded = "embedded" in document.documentElement.dataset;

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
  if (embedded) return fetch(path, { ...how, credentials: "omit" });
  if (alone && kind === "notebook") throw new TypeError("there is no house to keep a notebook");
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

/** The connections to this device, once they were needed. @type {typeof import("./device.js").DeviceSocket | null} */
let Socket = null;

/**
 * A live connection to a table: a WebSocket, or the same to this device; null while that is fetched.
 * @param {string} table
 * @param {string} path
 * @param {() => void} again  what to do once it is there
 * @returns {WebSocket | null}
 */
export function connect(table, path, again) {
  if (alone || isHere(table)) {
    if (!Socket) device().then(({ DeviceSocket }) => { Socket = DeviceSocket; again(); });
    return /** @type {any} */ (Socket && new Socket(path));
  }
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}${path}${embedded ? "?watch=1" : ""}`);
}
