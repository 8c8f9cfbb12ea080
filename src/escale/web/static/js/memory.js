// The data that a browser remembers: the seats it holds, the guest's name, and settings.

/** A seat that this browser holds by a token. @typedef {{token: string, seats: number[], game: string, at: number}} Held */

/** @param {string} key @returns {any} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(`escale.${key}`) ?? "null");
  } catch {
    return null; // storage is forbidden, or holds something else
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(`escale.${key}`, JSON.stringify(value));
  } catch {
    // It holds for this page at least.
  }
}

/** Called when something changes that one's other devices should know. @type {() => void} */
let changed = () => {};
let silent = false;

/** @param {() => void} then */
export function onChange(then) {
  changed = then;
}

/** Change what other devices told, and tell them nothing. @param {() => void} act */
export function silently(act) {
  silent = true;
  act();
  silent = false;
}

/** @param {string} key @param {unknown} value */
function writeShared(key, value) {
  write(key, value);
  if (!silent) changed();
}

/** Forget the person, but not how things are shown. */
export function forgetPerson() {
  try {
    for (const key of ["seats", "name", "lessons", "puzzles", "levels", "coach", "turned"]) localStorage.removeItem(`escale.${key}`);
  } catch {
    // Storage is forbidden: there is nothing to forget.
  }
}

/** The seats that this browser holds, by table; those of the notebook are not among them. @returns {Record<string, Held>} */
export function seats() {
  const kept = read("seats");
  return kept && typeof kept === "object" ? kept : {};
}

/**
 * The games that were taken along, by name: when, from which edition of the house, and the levels
 * that are slow here, with the seconds of a move.
 * @typedef {{at: number, edition: string, langs: string[], pace?: Record<string, {seconds: number, weaker: boolean}>}} Taken
 * @returns {Record<string, Taken>}
 */
export function taken() {
  return read("taken") ?? {};
}

/** @param {string} game @param {Taken | null} how  null where it is left again */
export function keepTaken(game, how) {
  const { [game]: _, ...rest } = taken();
  write("taken", how ? { ...rest, [game]: how } : rest);
}

/** @param {string} table @param {Held} held */
export function keepSeat(table, held) {
  write("seats", { ...seats(), [table]: held });
}

/** @param {string} table */
export function forgetSeat(table) {
  const { [table]: _, ...rest } = seats();
  write("seats", rest);
}

/** The level of the last game against the computer, by game: a strong player of one game may be new
 * to another. @param {string} game
 */
export function level(game) {
  const kept = read("levels")?.[game];
  return typeof kept === "string" ? kept : "";
}

/** @param {string} game @param {string} value */
export function keepLevel(game, value) {
  write("levels", { ...read("levels"), [game]: value });
}

/** The progress in a lesson: the present step, those done, and the number of steps. @typedef {{at:
 * string, done: string[], of: number}} Progress
 */

/** @param {string} game @returns {Progress} */
export function lesson(game) {
  const { at, done, of } = read("lessons")?.[game] ?? {};
  return { at: String(at ?? ""), done: Array.isArray(done) ? done.map(String) : [], of: Number(of) || 0 };
}

/** All of them, by game. @returns {Record<string, Progress>} */
export function lessons() {
  return Object.fromEntries(Object.keys(read("lessons") ?? {}).map((game) => [game, lesson(game)]));
}

/** @param {string} game @param {Progress} progress */
export function keepLesson(game, progress) {
  writeShared("lessons", { ...read("lessons"), [game]: progress });
}

/** @returns {string} */
export function name() {
  const kept = read("name");
  return typeof kept === "string" ? kept : "";
}

/** @param {string} value */
export function keepName(value) {
  if (value !== name()) writeShared("name", value);
}

const settings = {
  /** Whether a move is confirmed before it is sent: the default on touch screens. */
  confirm: matchMedia("(pointer: coarse)").matches,
  sound: true,
  /** Whether open pages ring when a game begins to wait. */
  ring: false,
  /** Whether the reader was asked about notices when leaving a table. */
  left: false,
};

/**
 * @param {keyof typeof settings} which
 * @returns {boolean}
 */
export function setting(which) {
  const kept = read(which);
  return typeof kept === "boolean" ? kept : settings[which];
}

/** @param {keyof typeof settings} which @param {boolean} value */
export function keepSetting(which, value) {
  write(which, value);
}

/** Whether there is a coach at a table: as it was asked for there. @param {string} table */
export function coached(table) {
  const kept = read("coach");
  return kept?.[table] === true;
}

/**
 * A coach that was sent away comes to no other table by itself.
 * @param {string} table
 * @param {boolean} value
 */
export function keepCoached(table, value) {
  write("coach", value ? { ...read("coach"), [table]: true } : { [table]: false });
}

/** The speed at which events are shown; null if none was chosen. */
export function speed() {
  return read("speed");
}

/** @param {string} value */
export function keepSpeed(value) {
  write("speed", value);
}

/** Whether the reader turned the board of a table; null if it was never turned. @param {string}
 * table
 */
export function turned(table) {
  const kept = read("turned")?.[table];
  return typeof kept === "boolean" ? kept : null;
}

/** @param {string} table @param {boolean} value */
export function keepTurned(table, value) {
  write("turned", { ...read("turned"), [table]: value });
}

/** The rating of a solver of whom nothing is known, and its error. @type {[number, number]} */
const FIRST_RATING = [900, 350];

/**
 * What is known of the puzzles that were solved here: which, how many in a row without a mistake,
 * which were missed at the first try, the solver's rating with its error, and the last day whose
 * puzzle was solved with the number of such days in a row.
 * @typedef {{solved: Record<string, number>, run: number, best: number}} Solved
 * @typedef {Solved & {missed: string[], rating: [number, number], day: {last: string, run: number}}} Puzzles
 * @returns {Puzzles}
 */
export function puzzles() {
  const kept = read("puzzles");
  const none = { solved: {}, run: 0, best: 0, missed: [], rating: FIRST_RATING, day: { last: "", run: 0 } };
  return { ...none, ...(kept && typeof kept === "object" ? kept : {}) };
}

/** @param {Puzzles} kept */
export function keepPuzzles(kept) {
  writeShared("puzzles", kept);
}
