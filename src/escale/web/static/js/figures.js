// Live figures in the rules: each example is a board for trying moves. It answers "yes, because" or
// "no, rule 6", by the same board and the same input as a table.
import { ask } from "./ask.js";
import { h } from "./dom.js";
import { StudyBoard, study } from "./study_board.js";
import { split } from "./trie.js";
import { ruleAddress, say } from "./words.js";

/** @typedef {import("./types.js").ExampleFacts} Example */

/** @type {Map<string, Promise<Example[]>>} */
const boxes = new Map();

/** @param {string} slug @returns {Promise<Example[]>} */
function examples(slug) {
  const known = boxes.get(slug) ?? ask(`/api/games/${slug}/examples`);
  boxes.set(slug, known);
  return known;
}

/** @param {HTMLElement} figure */
async function enliven(figure) {
  const slug = figure.dataset.game ?? "";
  const example = (await examples(slug)).find((one) => one.id === figure.dataset.example);
  const picture = figure.querySelector(".drawn");
  if (!example || !picture) return;
  const where = { position: example.position, line: example.line };
  const first = await study(slug, where);
  const host = h("div", { class: "board", tabindex: 0, role: "application", "aria-label": say("board") });
  picture.replaceChildren(host);
  const answer = h("p", { class: "figure-answer", role: "status" }, say("figure-try"));
  const buttons = h("p", { class: "row choices" });
  figure.append(buttons, answer);

  /** Whether what was tried last has been answered. */
  let judged = false;
  /** @param {string} kind @param {...(string | Node)} words */
  const tell = (kind, ...words) => {
    answer.className = `figure-answer ${kind}`.trim();
    answer.replaceChildren(...words);
  };
  /** @param {string} move */
  const play = async (move) => {
    const after = await study(slug, { ...where, line: [...example.line, move] }).catch(() => null);
    await (after ? board.show(after, { animate: true, closed: true }) : board.reopen());
    judged = true;
    if (!after) return tell("", say("failed"));
    tell("yes", say("figure-yes", { sentence: after.sentence }), " ", after.outcome?.text ?? "");
    buttons.replaceChildren(h("button", { type: "button", onclick: begin }, say("figure-again")));
  };
  const board = new StudyBoard(host, slug, buttons, {
    play: (move) => void play(move),
    asked: (words) => {
      if (!judged) tell("", words || say("figure-try"));
    },
    refused: (why) => {
      judged = why !== null;
      if (!why) return void (answer.className = "figure-answer");
      tell("no", say("figure-no", { text: why.text }));
      if (why.rule) answer.append(" ", h("a", { href: ruleAddress(why.rule) }, say("read-rule")));
    },
  });
  const begin = async () => {
    await board.show(first);
    figure.classList.toggle("in-parts", Boolean(board.board.scene?.panels.length));
    board.board.showMost([...board.input.next, ...split(example.move ?? example.attempt ?? ""), ...example.cells]);
  };
  await begin();
  host.focus();
}

/**
 * Show a picture, with the move of its caption, until the reader begins to try moves.
 * @param {ParentNode} rules
 */
export function wireFigures(rules) {
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (rules.querySelectorAll("figure[data-example]:not([data-still])"))) {
    const open = h("button", { type: "button", class: "figure-open" }, say("figure-open"));
    open.addEventListener("click", () => {
      open.disabled = true;
      enliven(figure).then(() => open.remove(), () => (open.disabled = false));
    });
    figure.querySelector(".drawn")?.addEventListener("click", () => open.isConnected && open.click());
    figure.querySelector("figcaption")?.append(open);
  }
}

/** Open the folded part with an element. @param {Element} element */
export function unfold(element) {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
}
