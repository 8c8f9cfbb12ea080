// The service worker of the house, where browsers allow one: over HTTPS and on this machine.

/** Whether this page may have one. */
export const allowed = () => isSecureContext && "serviceWorker" in navigator;

/** Start it, or find the one that runs. @returns {Promise<ServiceWorkerRegistration>} */
export async function startWorker() {
  await navigator.serviceWorker.register(`${document.documentElement.dataset.base ?? ""}/sw.js`);
  return navigator.serviceWorker.ready;
}
