// On the page of a notebook: what this device may do to tell its owner that a game waits.
import { askForPush, pushState, ringing, setRinging } from "./alerts.js";
import { say } from "./words.js";

const box = document.getElementById("wishes");
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=zone]"))) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ""; // digests come in the reader's morning
}

/** @param {HTMLElement} box */
async function wire(box) {
  const [push, ring, words] = ["want-push", "want-ring", "push-words"].map((id) => /** @type {HTMLButtonElement} */ (document.getElementById(id)));
  const key = box.dataset.key ?? "";
  const show = () => ring.setAttribute("aria-pressed", String(ringing()));
  ring.addEventListener("click", () => { setRinging(!ringing()); show(); });
  show();
  const state = await pushState(key);
  push.hidden = state !== "possible";
  words.textContent = { possible: "", on: say("push-done"), insecure: say("push-insecure"), home: say("push-home"), denied: say("push-denied"), none: say("push-none") }[state];
  push.addEventListener("click", async () => {
    push.disabled = true;
    const done = await askForPush(key);
    if (done) return location.reload();
    push.disabled = false;
    words.textContent = say("push-failed");
  });
}

if (box) wire(box);
