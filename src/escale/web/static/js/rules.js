// The page of a game's rules.
import { unfold, wireFigures } from "./figures.js";

wireFigures(document);

// On a phone the list of contents would stand between the title and the rules.
const contents = /** @type {HTMLDetailsElement | null} */ (document.querySelector("[data-contents]"));
if (contents && innerWidth < 992) contents.open = false;

// What an address names is shown, also where it is folded away.
function showNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named) unfold(named);
  named?.scrollIntoView();
}
addEventListener("hashchange", showNamed);
if (location.hash) showNamed();
