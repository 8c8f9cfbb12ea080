// The tree of legal moves: what may be pointed at next, and what is complete.

/** @typedef {import("./types.js").SentBranch} SentBranch */
/** What each atom leads to: more atoms, the text of a whole move, null for what the house has kept. @typedef {{[atom: string]: Branch | string | null}} Branch */
/** The cells that stand for an atom. @typedef {Record<string, string[]>} Places */

/**
 * The tree that the house has sent, with the text of every move, and the ways that it tells, by the
 * texts of their moves.
 * @param {SentBranch | null} sent
 * @param {string[]} [before]  the atoms that lead to it
 * @returns {{choices: Branch | null, ways: Record<string, string>}}
 */
export function unpack(sent, before = []) {
  /** @type {Record<string, string>} */
  const ways = {};
  /** @param {SentBranch} branch @param {string[]} path @returns {Branch} */
  const walk = (branch, path) => Object.fromEntries(Object.entries(branch).map(([atom, next]) => {
    const atoms = [...path, atom];
    if (next !== null && typeof next === "object" && !Array.isArray(next)) return [atom, walk(next, atoms)];
    const [leaf, way] = Array.isArray(next) ? next : [next];
    const text = leaf === 1 ? atoms.join("-") : leaf;
    if (way !== undefined) ways[/** @type {string} */ (text)] = inFull(way, atoms);
    return [atom, text];
  }));
  return { choices: sent && walk(sent, before), ways };
}

/**
 * The ways of a move with all their letters: after a3 and c, `-2 4-1` is a3-c2 and a4-c1.
 * @param {string} leaf
 * @param {string[]} atoms
 */
function inFull(leaf, atoms) {
  let before = atoms.slice(0, 2);
  return leaf.split(" ").map((way) => {
    if (way === "") return way;
    before = way.split("-").map((cell, i) => (cell === "" ? before[i] : /^\d/.test(cell) ? `${before[i][0]}${cell}` : cell));
    return before.join("-");
  }).join(" ");
}

/**
 * What some atoms lead to: a branch, the text of a whole move, null for a branch that the house
 * has kept, undefined for nothing.
 * @param {Branch} root
 * @param {string[]} atoms
 * @returns {Branch | string | null | undefined}
 */
export function after(root, atoms) {
  /** @type {Branch | string | null | undefined} */
  let node = root;
  for (const atom of atoms) {
    if (node === null || typeof node !== "object") return undefined;
    node = Object.hasOwn(node, atom) ? node[atom] : undefined;
  }
  return node;
}

/**
 * Every move below, as its atoms and its text; stops after `most`, and says so by null where
 * there are more or where a branch is not here.
 * @param {Branch | string | null} node
 * @param {number} most
 * @returns {{atoms: string[], text: string}[] | null}
 */
export function moves(node, most) {
  /** @type {{atoms: string[], text: string}[]} */
  const found = [];
  /** @param {Branch | string | null} branch @param {string[]} atoms @returns {boolean} */
  const walk = (branch, atoms) => {
    if (branch === null || found.length > most) return false;
    if (typeof branch === "string") return found.push({ atoms, text: branch }) <= most;
    return Object.entries(branch).every(([atom, next]) => walk(next, [...atoms, atom]));
  };
  return walk(node, []) ? found : null;
}

/**
 * The atoms that lead on from here without any choice, down to a whole move; null if there is one.
 * @param {Branch} node
 * @returns {string[] | null}
 */
export function forced(node) {
  const all = moves(node, 1);
  return all?.length === 1 ? all[0].atoms : null;
}

/**
 * The one way from here whose last place is `atom`: for those who point at the end of a chain.
 * @param {Branch} node
 * @param {string} atom
 * @param {(atom: string) => boolean} isPlace
 * @returns {string[] | null}
 */
export function ending(node, atom, isPlace) {
  const ways = (moves(node, 400) ?? []).filter(
    (move) => move.atoms.filter(isPlace).at(-1) === atom,
  );
  return ways.length === 1 ? ways[0].atoms : null;
}

/**
 * The cells that stand for an atom where it may be chosen. What was chosen before narrows them:
 * once a column is chosen, North is the northern half of that column.
 * @param {Places} places
 * @param {string} atom
 * @param {string[]} path  what has been chosen
 * @param {string[]} next  what may be chosen
 * @returns {string[]}
 */
export function cellsFor(places, atom, path, next) {
  const cells = places[atom] ?? [];
  const within = path.findLast((one) => Object.hasOwn(places, one) && !next.includes(one));
  return within === undefined ? cells : cells.filter((cell) => places[within].includes(cell));
}

/**
 * The atoms that pointing at something chooses: itself, or, one question after another, those that
 * it stands for. A question that comes again, such as the side of the next piece, waits.
 * @param {Branch} root
 * @param {string[]} path  what has been chosen
 * @param {string} name  what is pointed at
 * @param {Places} places
 * @returns {string[]}
 */
export function meant(root, path, name, places) {
  /** @type {string[]} */
  const found = [];
  /** @type {Set<string>} */
  const asked = new Set();
  let node = after(root, path);
  while (node && typeof node === "object") {
    const next = Object.keys(node);
    if (!found.length && next.includes(name)) return [name];
    if (next.some((atom) => asked.has(atom))) break;
    const atom = next.find((one) => cellsFor(places, one, [...path, ...found], next).includes(name));
    if (atom === undefined) break;
    for (const one of next) asked.add(one);
    found.push(atom);
    node = node[atom];
  }
  return found;
}

/**
 * The words of a typed move: capitals, spaces, commas and arrows are forgiven.
 * @param {string} text
 */
export function split(text) {
  return text.toLowerCase().match(/[^\s\-–—→>,]+/g) ?? [];
}

/**
 * Read a typed move along the tree. An atom may be written by its name or as people call it.
 * @param {Branch} root
 * @param {string} text
 * @param {(atom: string) => string[]} formsOf  what people call an atom
 * @param {boolean} [open]  whether the last word may still grow, and is left over
 * @returns {{atoms: string[], node: Branch | string | null, rest: string}}  with what is left over
 */
export function read(root, text, formsOf, open = false) {
  /** @type {string[]} */
  const atoms = [];
  /** @type {Branch | string | null} */
  let node = root;
  let rest = plain(text);
  for (;;) {
    rest = rest.replace(/^[\s\-–—→>,]+/, "");
    if (!rest || node === null || typeof node === "string") break;
    /** @param {string} form */
    const fits = (form) => rest.startsWith(form)
      && (rest.length > form.length ? /[\s\-–—→>,]/.test(rest[form.length]) : !open);
    /** @type {{atom: string, form: string} | undefined} */
    const found = Object.keys(node)
      .flatMap((atom) => [atom, ...formsOf(atom)].map((name) => ({ atom, form: plain(name) })))
      .filter(({ form }) => fits(form))
      .sort((a, b) => b.form.length - a.form.length)[0];
    if (!found) break;
    atoms.push(found.atom);
    node = node[found.atom];
    rest = rest.slice(found.form.length);
  }
  return { atoms, node, rest };
}

/**
 * Every sequence of atoms, one longer at most, that begins like what is being typed.
 * @param {Branch} root
 * @param {string} text
 * @param {(atom: string) => string[]} formsOf  what people call an atom
 * @returns {string[][]}
 */
export function complete(root, text, formsOf) {
  const { atoms, node, rest } = read(root, text, formsOf, true);
  if (node === null || typeof node === "string") return [];
  return Object.keys(node)
    .filter((atom) => [atom, ...formsOf(atom)].some((name) => plain(name).startsWith(rest)))
    .map((atom) => [...atoms, atom]);
}

/** What is typed, without capitals, accents and the like. @param {string} text */
function plain(text) {
  return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/’/g, "'").replace(/\s+/g, " ");
}
