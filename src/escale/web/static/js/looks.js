// The house's analysis of a position while the reader looks at it: lines that get better one after
// another.
import { headers, request } from "./ask.js";
import { lang } from "./words.js";

/** @typedef {import("./types.js").AnalysisLook} AnalysisLook */
/** @typedef {import("./types.js").Refusal} Refusal */
/** @typedef {import("./study_board.js").StudyQuestion} StudyQuestion */

/**
 * Yields the results one after another; a refusal is thrown as the object that the house sent. To
 * stop it, abort.
 * @param {string} slug
 * @param {StudyQuestion & {lines?: number}} where
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<AnalysisLook>}
 */
export async function* looks(slug, where, signal) {
  const response = await request(`/api/games/${slug}/analysis?lang=${lang}`, {
    method: "POST", signal, headers: { ...headers(), "Content-Type": "application/json" },
    body: JSON.stringify({ ...where, lang }),
  });
  if (!response.ok || !response.body) throw await response.json().catch(() => null) ?? new TypeError(`no answer: ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}
