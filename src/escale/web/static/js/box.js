// @ts-check
// The forms of a box: name and level are remembered, and seats that are not there are not asked about.

import "./sit_down.js";
import "./take.js";
import { keepLevel, keepName, lesson, level, name as knownName } from "./memory.js";

/** @param {HTMLFormElement} form */
function showSeats(form) {
  const seats = form.querySelector("[data-seats]");
  if (!(seats instanceof HTMLSelectElement)) return;
  for (const part of form.querySelectorAll("[data-seat]")) {
    const absent = Number(part.getAttribute("data-seat")) >= Number(seats.value);
    part.toggleAttribute("hidden", absent);
    if (part instanceof HTMLOptionElement) {
      part.disabled = absent;
      const select = part.closest("select");
      if (absent && part.selected && select) select.selectedIndex = 0;
    }
  }
}

/** The level that is chosen, or where one is named, that one from now on. @param {HTMLFormElement} form @param {string} [wanted] */
function chosenLevel(form, wanted) {
  for (const choice of form.querySelectorAll("input[name=level]")) {
    if (!(choice instanceof HTMLInputElement)) continue;
    if (choice.value === wanted) choice.checked = true;
    if (wanted === undefined && choice.checked) return choice.value;
  }
  return "";
}

for (const form of document.querySelectorAll("form[data-way]")) {
  if (!(form instanceof HTMLFormElement)) continue;
  const name = form.querySelector("[data-my-name]");
  const game = String(new FormData(form).get("game"));
  if (name instanceof HTMLInputElement) name.value = knownName();
  chosenLevel(form, level(game));
  showSeats(form);
  form.addEventListener("change", () => showSeats(form));
  form.addEventListener("submit", () => {
    if (name instanceof HTMLInputElement) keepName(name.value.trim());
    const chosen = chosenLevel(form);
    if (chosen) keepLevel(game, chosen);
  });
}

// The reader's progress in the lesson.
const learn = document.querySelector("[data-learn]");
if (learn instanceof HTMLElement) {
  const { done, of } = lesson(learn.dataset.learn ?? "");
  const { progress = "", done: finished = "" } = learn.dataset;
  const over = of > 0 && done.length >= of;
  learn.classList.toggle("main", !over);
  if (over) learn.textContent = finished;
  else if (done.length) learn.textContent = progress.replace("{done}", String(done.length)).replace("{of}", String(of));
}
