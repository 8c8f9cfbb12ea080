// Requests and live connections where not only a server may answer: this device in its place, for the
// tables that it keeps, on pages without any server, and where the network is gone; and in frames of
// other sites, where nobody is known.
import { alone, embedded } from "./ask.js";
import { DeviceSocket, request as requestHere } from "./device.js";
import { taken } from "./memory.js";
import { isHere } from "./words.js";
import { allowed, startWorker } from "./worker.js";

if (alone && allowed()) void startWorker();

/**
 * Ask the house, or this device.
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function request(path, how) {
  const [, , kind, name = ""] = path.split("?")[0].split("/");
  if (embedded) return fetch(path, { ...how, credentials: "omit" });
  if (alone && kind === "notebook") throw new TypeError("there is no house to keep a notebook");
  if (alone || (kind === "tables" && isHere(name))) return requestHere(path, how);
  const away = kind === "games" && taken()[name];
  try {
    const answer = await fetch(path, how);
    if (!away || answer.status < 502) return answer;
  } catch (failure) {
    if (!away || how?.signal?.aborted) throw failure;
  }
  return requestHere(path, how);
}

/** A live connection to a table of this device. @param {string} path @returns {WebSocket} */
export const connect = (path) => /** @type {any} */ (new DeviceSocket(path));
