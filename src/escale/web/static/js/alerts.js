// How this device can tell that a game waits: pushed by the house, or rung by a page that is open.
import { ask } from "./ask.js";
import { keepSetting, setting } from "./memory.js";
import { allowed, startWorker } from "./worker.js";

/**
 * Whether notices can be pushed to this browser; else why not: the page is not secure, an iPhone wants
 * the house on its Home Screen, the reader has refused, or house or browser know no push.
 * @param {string} key  the house's key; empty if it does not push
 * @returns {Promise<"possible" | "on" | "insecure" | "home" | "denied" | "none">}
 */
export async function pushState(key) {
  if (!key) return "none";
  if (!isSecureContext) return "insecure";
  if (!("PushManager" in window) || !("Notification" in window) || !allowed()) {
    return /iPhone|iPad/.test(navigator.userAgent) ? "home" : "none";
  }
  if (Notification.permission === "denied") return "denied";
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager?.getSubscription()) ? "on" : "possible";
}

/**
 * Ask the browser for an address to push to, and give it to the house; whether both agreed. It has to be
 * called by a click.
 * @param {string} key
 */
export async function askForPush(key) {
  try {
    if ((await Notification.requestPermission()) !== "granted") return false;
    const registration = await startWorker();
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    await ask("/api/notebook/notices/push", { body: { endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } } })
      .catch(async (refusal) => {
        await subscription.unsubscribe();
        throw refusal;
      });
    return true;
  } catch {
    return false;
  }
}

/** Whether open pages of this device ring. */
export const ringing = () => setting("ring");

/** @param {boolean} yes */
export function setRinging(yes) {
  keepSetting("ring", yes);
  if (yes) import("./ring.js").then(({ listen }) => listen(), () => {}); // the next page tries again
}
