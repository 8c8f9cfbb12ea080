// The tables that this browser keeps itself, in its own database: those that are played without a
// house. The worker writes them, event by event; pages list them and hand them to the house.

/**
 * A table: the lines of its transcript, and what only its own house may know.
 * @typedef {{id: string, game: string, lines: string[], tokens: [string, number[]][], secret: string,
 *   next_secret?: string | null, over: boolean, changed: number}} KeptTable
 */

const NAME = "escale";
const TABLES = "tables";

/** The database. @type {Promise<IDBDatabase> | null} */
let opening = null;

function open() {
  opening ??= new Promise((done, failed) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLES, { keyPath: "id" });
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  return opening;
}

/**
 * Use the tables in one transaction.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(tables: IDBObjectStore, give: (found: T) => void) => void} use
 * @returns {Promise<T>}
 */
async function within(mode, use) {
  const transaction = (await open()).transaction(TABLES, mode, { durability: "strict" });
  return new Promise((done, failed) => {
    /** @type {any} */
    let found;
    transaction.oncomplete = () => done(found);
    transaction.onabort = () => failed(transaction.error ?? new Error("the table has changed meanwhile"));
    use(transaction.objectStore(TABLES), (value) => { found = value; });
  });
}

/**
 * Add lines to a table, or begin one; fails if these are not the next ones.
 * @param {string} change  as JSON
 * @returns {Promise<void>}
 */
export function keep(change) {
  const { table, since, lines, ...facts } = JSON.parse(change);
  return within("readwrite", (tables) => {
    const asked = tables.get(table);
    asked.onsuccess = () => {
      const before = asked.result ?? { id: table, lines: [] };
      if (lines.length && since !== before.lines.length) return void tables.transaction.abort();
      tables.put({ ...before, ...facts, lines: [...before.lines, ...lines] });
    };
  });
}

/** A table as JSON, if this browser keeps one of this name. @param {string} table @returns {Promise<string | undefined>} */
export function load(table) {
  return within("readonly", (tables, give) => {
    const asked = tables.get(table);
    asked.onsuccess = () => give(asked.result && JSON.stringify(asked.result));
  });
}

/** All tables, those that changed last first. @returns {Promise<KeptTable[]>} */
export async function all() {
  /** @type {KeptTable[]} */
  const found = await within("readonly", (tables, give) => {
    const asked = tables.getAll();
    asked.onsuccess = () => give(asked.result);
  });
  return found.sort((one, other) => other.changed - one.changed);
}

/** Forget a table: the house has it. @param {string} table @returns {Promise<void>} */
export function forget(table) {
  return within("readwrite", (tables) => tables.delete(table));
}
