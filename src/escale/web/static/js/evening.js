// The pages of an evening for guests and hosts: they follow it, and send their forms without being
// loaded anew, so that the reader stays at the same place.
import { follow, root, showAnswer } from "./evening_live.js";
import { keepName, name } from "./memory.js";
import { sound } from "./sound.js";

/** What the reader is told to do now, to notice when it is something else. */
const now = () => root.querySelector("#evening-now .my-game, #evening-now .notice")?.textContent ?? "";
let before = now();

root.addEventListener("replaced", () => {
  if (now() !== before && root.querySelector("#evening-now .my-game")) {
    sound("other");
    navigator.vibrate?.(200);
  }
  before = now();
  fillName();
});

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-quiet]")) return;
  event.preventDefault();
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const data = new FormData(form, submitter);
  if (data.get("do") === "join") keepName(String(data.get("name") ?? "").trim());
  if (submitter) submitter.disabled = true;
  try {
    const body = new URLSearchParams(/** @type {Record<string, string>} */ (/** @type {unknown} */ ([...data])));
    const answer = await fetch(form.action, { method: "POST", body });
    if (new URL(answer.url).pathname !== location.pathname && answer.redirected) location.assign(answer.url);
    else if (!showAnswer(await answer.text())) throw new TypeError("not the page");
    if (answer.ok && form.matches("[data-clear]")) form.reset();
  } catch {
    form.submit(); // the browser shows what is wrong
  } finally {
    if (submitter) submitter.disabled = false;
  }
});

/** Guests need not type their name again. */
function fillName() {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("join-name"));
  if (field) field.value ||= name();
}

fillName();
follow();
