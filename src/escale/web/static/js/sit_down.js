// Forms that open a table. Where the house does not answer, this device opens the table of a game
// that was taken along; on pages without any server it always does.
import { alone } from "./ask.js";
import { taken } from "./memory.js";
import { lang, say, tableAddress } from "./words.js";

const PATIENCE_MS = 4_000; // a house that has not answered by then is taken to be away
const HERE = ["computer", "screen"]; // the ways to play that need nobody elsewhere

/** Whether the house answers. */
const answers = () => fetch("/healthz", { signal: AbortSignal.timeout(PATIENCE_MS) }).then((answer) => answer.ok, () => false);

/** Open the table here, and go there. @param {HTMLFormElement} form */
async function open(form) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.set(name, value);
  const game = fields.get("game") ?? "";
  const answer = await (await import("./device.js")).request(`/api/tables?lang=${lang}`, { method: "POST", body: fields.toString() });
  const opened = await answer.json();
  if (!answer.ok) throw opened;
  const coach = fields.get("coach") === "on" ? "&coach=on" : "";
  location.assign(`${tableAddress(opened.table, game)}#seat=${opened.token}${coach}`);
}

/** @param {HTMLFormElement} form @param {string} words */
function tell(form, words) {
  const old = form.querySelector(".sit-down-note");
  const note = old ?? document.createElement("p");
  note.className = "notice sit-down-note";
  note.setAttribute("role", "alert");
  note.textContent = words;
  if (!old) form.append(note);
}

/** @param {SubmitEvent} event */
async function submitted(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !new URL(form.action).pathname.endsWith("/tables")) return;
  const fields = new FormData(form);
  if (event.defaultPrevented || (!alone && !taken()[String(fields.get("game"))])) return;
  event.preventDefault();
  if (!alone && (await answers())) return form.submit();
  if (!HERE.includes(String(fields.get("way") ?? HERE[0]))) return tell(form, say("needs-house"));
  const button = event.submitter;
  button?.setAttribute("disabled", "");
  try {
    await open(form);
  } catch (refusal) {
    tell(form, /** @type {{message?: string}} */ (refusal).message ?? say("failed"));
  }
  button?.removeAttribute("disabled");
}

document.addEventListener("submit", submitted);
addEventListener("pageshow", () => document.querySelectorAll("form [disabled].main").forEach((button) => button.removeAttribute("disabled")));
