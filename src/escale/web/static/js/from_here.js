// A table that begins from a position: against the computer, or for all at this screen.
import { ask } from "./ask.js";
import { level, name as myName } from "./memory.js";
import { tableAddress } from "./words.js";

/** @typedef {import("./types.js").StudyPosition} StudyPosition */

/**
 * @param {HTMLFormElement} form
 * @param {string} slug
 * @param {string[]} names  what the seats are called
 * @param {() => StudyPosition | null} here  the position to begin from
 * @param {(refusal: unknown) => void} tell  says why not
 */
export function wireTableForm(form, slug, names, here, tell) {
  const against = form.elements.namedItem("against");
  if (against instanceof HTMLSelectElement && level(slug)) against.value = level(slug);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const position = here();
    if (!position) return;
    const fields = new FormData(form);
    const computer = String(fields.get("against"));
    const seats = position.badges.map((_, seat) => {
      if (!computer) return { kind: "person", name: names[seat] };
      return seat === Number(fields.get("seat")) ? { kind: "person", name: myName() } : { kind: "computer", level: computer };
    });
    try {
      const opened = await ask("/api/tables", { body: { game: slug, position: position.position, seats } });
      location.assign(`${tableAddress(opened.table, slug)}#seat=${opened.token}`);
    } catch (refusal) {
      tell(refusal);
    }
  });
}
