// The puzzles to choose from: what was solved here is marked, and a choice takes effect at once.
import { catchUp } from "./notebook.js";
import { markSolved, showRecord } from "./puzzle_record.js";

markSolved();
showRecord();
catchUp().then(() => {
  markSolved();
  showRecord();
});

const form = document.querySelector("[data-puzzle-search]");
if (form instanceof HTMLFormElement) {
  form.addEventListener("change", (event) => {
    // Themes are those of a game.
    const theme = form.querySelector("[name=theme]");
    if (/** @type {HTMLElement} */ (event.target).id === "game" && theme instanceof HTMLSelectElement) theme.value = "";
    form.requestSubmit();
  });
}
