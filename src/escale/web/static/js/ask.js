// Requests to the house.
import { request } from "./house.js";
import { lang } from "./words.js";

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
