// @ts-check
// The forms of a box: a name is remembered, and seats that are not there are not asked about.

import { keepName, name as knownName } from "./memory.js";

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

for (const form of document.querySelectorAll("form[data-way]")) {
  if (!(form instanceof HTMLFormElement)) continue;
  const name = form.querySelector("[data-my-name]");
  if (name instanceof HTMLInputElement) name.value = knownName();
  showSeats(form);
  form.addEventListener("change", () => showSeats(form));
  form.addEventListener("submit", () => {
    if (name instanceof HTMLInputElement) keepName(name.value.trim());
  });
}
