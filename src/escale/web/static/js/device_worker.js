// The worker that is a house: Python by Pyodide, with the very files of the server that know the
// games and the tables (src/escale/server/offline/device.py). It is sent where its parts are, then
// requests and messages of live connections, each under a number of the page.
import { keep, load } from "./device_store.js";

const PACKED = "pyodide.asm.wasm";

/** Messages that came before Python was there. @type {MessageEvent[]} */
let early = [];
/** What Python offers, once it is there. @type {any} */
let port = null;
let loaded = 0;

/** @param {Record<string, unknown>} message */
const tell = (message) => /** @type {any} */ (self).postMessage(message);

// The largest file is packed: few plain file servers pack what they send.
const plain = self.fetch;
self.fetch = async (resource, options) => {
  const address = String(resource instanceof Request ? resource.url : resource);
  const packed = address.endsWith(PACKED);
  const answer = counted(await plain(packed ? `${address}.packed` : resource, options));
  if (!packed || !answer.body) return answer;
  const body = answer.body.pipeThrough(/** @type {any} */ (new DecompressionStream("gzip")));
  return new Response(/** @type {any} */ (body), { headers: { "content-type": "application/wasm" } });
};

/** Tell the page how much of the parts is here. @param {Response} answer */
function counted(answer) {
  if (!answer.ok || !answer.body) return answer;
  const body = answer.body.pipeThrough(new TransformStream({
    transform(chunk, next) {
      loaded += chunk.byteLength;
      tell({ kind: "loading", loaded });
      next.enqueue(chunk);
    },
  }));
  return new Response(body, { status: answer.status, headers: answer.headers });
}

/** Start Python with the parts at an address. @param {string} parts */
async function start(parts) {
  const [{ loadPyodide }, archive] = await Promise.all([
    import(`${parts}pyodide.mjs`),
    fetch(`${parts}escale.zip`).then((answer) => {
      if (!answer.ok) throw new TypeError(`escale.zip: ${answer.status}`);
      return answer.arrayBuffer();
    }),
  ]);
  const python = await loadPyodide({ indexURL: parts, lockFileURL: `${parts}pyodide-lock.json` });
  python.unpackArchive(archive, "zip", { extractDir: "/escale" });
  const found = python.runPython(`
import sys, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, "/escale")
from escale.server.offline.device import Port
Port`);
  port = found(
    keep, load,
    (/** @type {number} */ number, /** @type {number} */ status, /** @type {string} */ body) => tell({ kind: "answer", number, status, body }),
    (/** @type {number} */ number, /** @type {string | undefined} */ line) => tell({ kind: "line", number, line: line ?? null }),
    (/** @type {number} */ number, /** @type {string} */ text) => tell({ kind: "heard", number, text }),
    (/** @type {number} */ number, /** @type {number} */ code) => tell({ kind: "closed", number, code }),
  );
  tell({ kind: "ready" });
  const waiting = early;
  early = [];
  for (const message of waiting) handle(message);
}

/** @param {MessageEvent} event */
function handle(event) {
  const { kind, number, method, address, body, token, lang, text } = event.data;
  if (kind === "start") start(event.data.parts).catch((error) => tell({ kind: "failed", why: String(error) }));
  else if (port === null) early.push(event);
  else if (kind === "request") port.request(number, method, address, body, token, lang);
  else if (kind === "cancel") port.cancel(number);
  else if (kind === "send") port.send(number, address, text);
  else if (kind === "end") port.end(number);
}

self.onmessage = handle;
