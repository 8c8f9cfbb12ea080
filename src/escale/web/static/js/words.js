// The sentences of the page's language, which the page carries in its block `words`, what a game
// writes on its board, in the block `captions`, and how its moves may be typed, in the block `forms`.

/** What the page carries under an id. @param {string} id */
export const block = (id) => JSON.parse(document.getElementById(id)?.textContent || "{}");
/** @type {Record<string, string>} */
const words = block("words");
/** @type {Record<string, string>} */
const captions = block("captions");
/** @type {Record<string, string[]>} */
const forms = block("forms");

/** The language of the page. */
export const lang = document.documentElement.lang || "fr";

/**
 * The sentence of that key, its gaps filled.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  return fill(words[key] ?? key, values);
}

/**
 * A sentence, its gaps filled.
 * @param {string} sentence
 * @param {Record<string, string | number>} values
 */
export function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? String(values[name]) : gap));
}

/**
 * What a game writes on its board, or calls a part of it.
 * @param {string} key
 * @param {Record<string, string | number> | null} [values]
 */
export function caption(key, values = null) {
  return fill(captions[key] ?? key, values ?? {});
}

/**
 * Every way of writing an atom, in any language; the first is how moves are shown.
 * @param {string} atom
 */
export function formsOf(atom) {
  return Object.hasOwn(forms, atom) ? forms[atom] : [atom];
}

/**
 * An address of the house in the page's language.
 * @param {string} path
 */
export function address(path) {
  return (document.documentElement.dataset.base ?? "") + (lang === "fr" ? "" : `/${lang}`) + path;
}

/** Whether this device keeps a table itself, by its name. @param {string} table */
export const isHere = (table) => table.startsWith("here-");

/** The address of a table. @param {string} table @param {string} game */
export function tableAddress(table, game) {
  return address(isHere(table) ? `/g/${game}/table?id=${encodeURIComponent(table)}` : `/t/${table}`);
}

/**
 * The paragraph of the rules that a reference such as `tortuga#setup` names.
 * @param {string} rule
 */
export function ruleAddress(rule) {
  const [slug, paragraph] = rule.split("#");
  return address(`/g/${slug}/rules#${paragraph}`);
}

/**
 * Until when a move has to be played, in the reader's time zone, which the house does not know.
 * @param {number} until  in Unix milliseconds
 */
export function playBefore(until) {
  const near = until - Date.now() < 6 * 24 * 3600 * 1000; // the name of the week day is enough
  const when = new Intl.DateTimeFormat(lang, near
    ? { weekday: "long", hour: "numeric", minute: "2-digit" } : { weekday: "long", day: "numeric", month: "long" });
  return say("play-before", { when: when.format(until) });
}
