// Live figures in the rules: each example is a board that one can touch. It answers "yes, because"
// or "no, rule 6", by the same board and the same input as a table.
import { ask } from "./ask.js";
import { Board } from "./board.js";
import { h } from "./dom.js";
import { Input } from "./input.js";
import { described } from "./pointed.js";
import { question } from "./prompt.js";
import { split, unpack } from "./trie.js";
import { lang, ruleAddress, say } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/**
 * @typedef {{id: string, position: string, line: string[], scene: Scene,
 *   choices: import("./types.js").SentBranch | null, labels: Record<string, string>, move: string | null,
 *   attempt: string | null, cells: string[],
 *   situation: import("./types.js").SituationState | null}} Example
 */

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
  const host = h("div", { class: "board", tabindex: 0, role: "application", "aria-label": say("board") });
  const parts = example.scene.panels.length > 0;
  figure.classList.toggle("in-parts", parts);
  if (!parts) host.style.aspectRatio = `${example.scene.width} / ${example.scene.height}`;
  picture.replaceChildren(host);
  const answer = h("p", { class: "figure-answer", role: "status" }, say("figure-try"));
  const buttons = h("p", { class: "row choices" });
  figure.append(buttons, answer);
  host.focus();

  const board = new Board(host, slug);
  let judged = false; // whether what was tried last has been answered
  /** @param {string} atom */
  const label = (atom) => example.labels[atom] ?? atom;
  /** @param {string[]} atoms */
  const judge = async (atoms) => {
    judged = true;
    const verdict = await ask(`/api/games/${slug}/explain`, {
      body: { position: example.position, line: example.line, atoms, lang },
    }).catch(() => null);
    if (!verdict) return answer.replaceChildren(say("failed"));
    if (!verdict.legal) {
      answer.className = "figure-answer no";
      answer.replaceChildren(say("figure-no", { text: verdict.text }));
      if (verdict.rule) answer.append(" ", h("a", { href: ruleAddress(verdict.rule) }, say("read-rule")));
      return input.refuse(verdict.cells);
    }
    board.draw(verdict.scene);
    board.light({});
    answer.className = "figure-answer yes";
    answer.replaceChildren(say("figure-yes", { told: verdict.told }), " ", verdict.outcome?.text ?? "");
    buttons.replaceChildren(h("button", { type: "button", onclick: begin }, say("figure-again")));
  };
  const input = new Input(board, {
    play: (_, atoms) => void judge(atoms),
    explain: (atoms) => void judge(atoms),
    forget: () => {
      judged = false;
      answer.className = "figure-answer";
    },
    fetch: async () => ({}),
    changed: () => {
      if (input.root && board.scene && !judged) {
        answer.replaceChildren(question(board.scene, input.path, input.next, example.situation) || say("figure-try"));
      }
      buttons.replaceChildren(...input.next.filter((atom) => !input.isPlace(atom)).map((atom) => h("button", {
        type: "button", onclick: () => input.choose(atom),
      }, label(atom))));
      if (input.path.length) buttons.append(h("button", { type: "button", onclick: () => input.cancel() }, say("cancel")));
    },
    confirms: () => false,
    point: (name, choice) => host.setAttribute("aria-label", described(board.scene, name, choice, label) || say("board")),
    type: () => {},
  });
  const begin = () => {
    board.draw(example.scene);
    judged = false;
    answer.className = "figure-answer";
    const { choices, ways } = unpack(example.choices);
    input.set(choices, ways);
    board.showMost([...input.next, ...split(example.move ?? example.attempt ?? ""), ...example.cells]);
  };
  begin();
}

/**
 * A picture stays, with the move that its caption tells of, until somebody wants to try.
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

/** Open what an element is folded away in. @param {Element} element */
export function unfold(element) {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
}
