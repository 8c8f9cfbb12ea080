// The service worker's part for playing without network: it answers with what this browser has taken
// along where the house does not answer. Boxes are taken along by take.js, which fills the caches.
// What stands under a fingerprint never changes, so it comes from the cache at once.

const FOR_EVER = /\/(static|offline)\/[0-9a-f]{12}\//;
const NO_HOUSE = [502, 503, 504]; // what a proxy says while the house is closed

addEventListener("install", () => /** @type {any} */ (self).skipWaiting());
addEventListener("activate", (event) => /** @type {any} */ (event).waitUntil(/** @type {any} */ (self).clients.claim()));

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  event.respondWith(FOR_EVER.test(pathname) ? keptFirst(request) : houseFirst(request));
});

/** @param {Request} request */
async function keptFirst(request) {
  const found = await kept(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && new URL(request.url).pathname.includes("/offline/")) await keepEngine(request, answer.clone());
  return answer;
}

/** Keep a part of the engine, and drop those of earlier editions. @param {Request} request @param {Response} answer */
async function keepEngine(request, answer) {
  const cache = await caches.open("escale-engine");
  const folder = request.url.slice(0, request.url.lastIndexOf("/"));
  for (const old of await cache.keys()) if (!old.url.startsWith(folder)) await cache.delete(old);
  await cache.put(request, answer);
}

/** @param {Request} request */
async function houseFirst(request) {
  try {
    const answer = await fetch(request);
    if (!NO_HOUSE.includes(answer.status)) return answer;
    return (await kept(request)) ?? answer;
  } catch (failure) {
    const found = (await kept(request)) ?? (request.mode === "navigate" ? await away(request) : undefined);
    if (!found) throw failure;
    return found;
  }
}

/**
 * What was taken along at an address: exactly this one, else the same without its query, or as a
 * plain file server names its folder.
 * @param {Request} request
 * @returns {Promise<Response | undefined>}
 */
async function kept(request) {
  const exact = { ignoreVary: true };
  const found = (await caches.match(request.url, exact)) ?? (await caches.match(request.url, { ...exact, ignoreSearch: true }));
  if (found || request.mode !== "navigate") return found;
  const address = new URL(request.url);
  address.search = "";
  address.pathname += address.pathname.endsWith("/") ? "" : "/";
  return caches.match(address.href, exact);
}

/** The page that says that there is no network, in the language of the address. @param {Request} request */
function away(request) {
  const [first] = new URL(request.url).pathname.slice(1).split("/");
  return caches.match(`/${first}/away`, { ignoreVary: true }).then((found) => found ?? caches.match("/away", { ignoreVary: true }))
    .then((found) => found ?? caches.keys().then(anyAway));
}

/** The same in whatever language was taken along. @param {string[]} names */
async function anyAway(names) {
  for (const name of names) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (new URL(request.url).pathname.replace(/\/$/, "").endsWith("/away")) return cache.match(request, { ignoreVary: true });
    }
  }
  return undefined;
}
