// @ts-check
// Looking for a box while typing: the server answers the same form, and its answer is put in place.

const form = document.querySelector("[data-shelf-search]");
let waiting = 0;
let latest = new AbortController();

/** @param {HTMLFormElement} search */
async function look(search) {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(search)) {
    if (typeof value === "string" && value) asked.set(name, value);
  }
  const address = search.action + (asked.size ? `?${asked}` : "");
  latest.abort();
  latest = new AbortController();
  try {
    const answer = await fetch(address, { signal: latest.signal });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.querySelector("[data-shelf]");
    if (found) document.querySelector("[data-shelf]")?.replaceChildren(...found.childNodes);
    history.replaceState(null, "", address);
  } catch {
    // Typed on, or cut off: what is on the shelf stays as it was.
  }
}

if (form instanceof HTMLFormElement) {
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => look(form), 150);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    look(form);
  });
}
