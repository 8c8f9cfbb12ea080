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

/** Whether this page is shown in a frame of another site: nobody is known there. */
export const embedded = "embedded" in document.documentElement.dataset;

/** Whether this device is the house of a table. @param {string} table */
export const servedHere = (table) => alone || isHere(table);

// Pages without a server are kept by this browser once they were shown.
if (alone) import("./reach.js");

/**
 * Ask the house, like `fetch`; a TypeError if nothing answers.
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function request(path, how) {
  const usual = !alone && !embedded && !path.includes("/here-") && !Object.keys(taken()).length;
  return usual ? fetch(path, how) : (await import("./reach.js")).request(path, how);
}
