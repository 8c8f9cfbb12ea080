// Search in the documentation: every word must occur; titles count most. Nothing is fetched before something is typed.
const form = /** @type {HTMLFormElement} */ (document.querySelector(".docs-search"));
const field = /** @type {HTMLInputElement} */ (form.querySelector("input"));
const list = /** @type {HTMLOListElement} */ (document.getElementById("found"));
const MOST_RESULTS = 12;
const EXCERPT_LETTERS = 160;

/** @type {Promise<{ title: string, text: string, location: string }[]> | undefined} */
let sections;

form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
field.addEventListener("input", () => void show(field.value));
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") void show((field.value = ""));
});
// On a phone the list of pages is closed at first.
if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".docs-menu")?.removeAttribute("open");

/** Show the sections that have all words. @param {string} typed */
async function show(typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  list.hidden = words.length === 0;
  if (!words.length) return;
  sections ??= fetch(form.dataset.index ?? "").then((answer) => answer.json()).then((index) => index.docs);
  const found = (await sections)
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_RESULTS);
  if (field.value !== typed) return;
  list.replaceChildren(...(found.length ? found.map(({ section }) => entry(section, words[0])) : [none()]));
}

/** How well a section fits; 0 where a word is missing. @param {{ title: string, text: string }} section @param {string[]} words */
function scoreOf({ title, text }, words) {
  const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()];
  if (!words.every((word) => inTitle.includes(word) || inText.includes(word))) return 0;
  return 1 + 9 * words.filter((word) => inTitle.includes(word)).length;
}

/** @param {{ title: string, text: string, location: string }} section @param {string} word */
function entry({ title, text, location }, word) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${form.dataset.base}/${location}`;
  link.textContent = plain(title);
  const words = plain(text);
  const before = words.slice(0, Math.max(0, words.toLowerCase().indexOf(word) - 40));
  const begin = before.lastIndexOf(" ") + 1;
  item.append(link, document.createElement("br"), words.slice(begin, begin + EXCERPT_LETTERS).replace(/\s\S*$/, " …"));
  return item;
}

/** The index has HTML's own characters escaped. @param {string} text */
function plain(text) {
  return new DOMParser().parseFromString(text, "text/html").body.textContent ?? "";
}

function none() {
  const item = document.createElement("li");
  item.textContent = "Nothing found.";
  return item;
}
