// Below the board: whose turn it is, the buttons for atoms without a place on the table, the
// question before a move is sent, and the ways to play without pointing: a list of moves and a text
// field.
import { h, need } from "./dom.js";
import { closeSheet, openSheet } from "./sheet.js";
import { after, complete, moves, read, split } from "./trie.js";
import { caption, formsOf, ruleAddress, say } from "./words.js";

/**
 * Why not: what the house refused, or why some atoms are no move.
 * @typedef {Partial<import("./types.js").StaleRefusal & import("./types.js").Reason>} Refusal
 */
/** @typedef {import("./input.js").Input} Input */

const MOST_LISTED_MOVES = 60; // more moves than this are listed step by step
const MOST_SUGGESTIONS = 12;
const MOST_WORDED_BUTTONS = 5; // buttons in a row that have room for words

export class Choosing {
  /**
   * @param {Input} input
   * @param {(atom: string) => string} label  what people call an atom
   * @param {(atom: string) => Node[] | null} seat  what stands on the button of an atom that names a seat
   */
  constructor(input, label, seat) {
    this.input = input;
    this.label = label;
    this.seat = seat;
    this.buttons = need("buttons");
    this.answer = need("answer");
    this.list = need("move-list");
    this.field = /** @type {HTMLInputElement} */ (need("notation"));
    this.suggested = need("suggested");
    this.field.addEventListener("input", () => this.suggest());
    input.board.host.addEventListener("walk", () => this.buttons.querySelector("button")?.focus());
    this.buttons.addEventListener("keydown", (event) => this.walk(event));
    need("notation-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.playTyped();
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.field.value = "";
      this.suggest();
      closeSheet();
      this.input.cancel();
      this.input.board.host.focus();
    });
  }

  /** Show the possible choices. */
  draw() {
    const { input } = this;
    const buttons = input.next.filter((atom) => !input.isPlace(atom));
    const pointed = new Set(input.board.shown.flatMap((move) => move.atoms));
    const labels = buttons.map((atom) => this.label(atom));
    const numbers = labels.map((label) => label.match(/^\d+/)?.[0]); // such as bids, whose meaning the prompt explains
    const counted = labels.length > MOST_WORDED_BUTTONS && numbers.every(Boolean);
    /** @type {HTMLElement[]} */
    const shown = buttons.map((atom, index) => h("button", {
      type: "button", class: `choice${pointed.has(atom) ? " pointed" : ""}${atom === input.stop ? " main" : ""}`, "data-atom": atom,
      onclick: () => input.choose(atom), ...(counted && { "aria-label": labels[index], title: labels[index] }),
    }, ...(this.seat(atom) ?? [counted ? numbers[index] : labels[index]])));
    if (input.ready !== null) {
      shown.push(h("button", {
        type: "button", class: "main confirm", onclick: () => input.confirm(),
      }, this.confirmation(input.path)));
    }
    if (input.path.length) {
      shown.push(h("button", { type: "button", class: "cancel", onclick: () => input.cancel() }, say("cancel")));
    }
    const had = this.buttons.contains(document.activeElement);
    const listed = this.listFocused;
    this.buttons.replaceChildren(...shown);
    this.buttons.hidden = !shown.length;
    this.drawList();
    // A reader who uses the keyboard must keep a place on the page.
    const confirm = /** @type {HTMLElement | null} */ (this.buttons.querySelector(".confirm"));
    if (confirm && (had || listed)) confirm.focus();
    else if (had) (/** @type {HTMLElement | null} */ (this.buttons.querySelector("button")) ?? this.input.board.host).focus();
  }

  /** Arrows go from button to button, around the ends. @param {KeyboardEvent} event */
  walk(event) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const all = [...this.buttons.querySelectorAll("button")];
    const here = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (step === undefined || here < 0) return;
    event.preventDefault();
    all.at((here + step) % all.length)?.focus();
  }

  /** @param {string[]} atoms */
  spell(atoms) {
    return atoms.map((atom) => this.label(atom)).join(" – ");
  }

  /** The words on the button that plays a move: a game may have a sentence for a single choice.
   * @param {string[]} path
   */
  confirmation(path) {
    const own = `confirm.${path[0]}`;
    return path.length === 1 && caption(own) !== own
      ? caption(own) : say("confirm", { move: this.spelt(path) });
  }

  /** The same, short, as one may type it. @param {string[]} atoms */
  spelt(atoms) {
    return atoms.map((atom) => formsOf(atom)[0]).join("-");
  }

  // ---- without pointing ----

  get listFocused() {
    return this.list.contains(document.activeElement);
  }

  /** Every move as a button, or, where there are too many, every next step. */
  drawList() {
    const { input } = this;
    const { node } = input;
    const focused = this.listFocused;
    const all = node && moves(node, MOST_LISTED_MOVES);
    /** @type {string[][]} */
    const ways = all ? all.map((move) => move.atoms) : input.next.map((atom) => [atom]);
    this.list.replaceChildren(...ways.map((atoms) => h("li", {}, h("button", {
      type: "button", "data-way": atoms.join(" "), onclick: () => input.choose(...atoms),
    }, this.spell(atoms), all ? "" : " …"))));
    if (!ways.length) this.list.append(h("li", { class: "soft" }, say("no-moves")));
    need("move-list-note").textContent = input.path.length
      ? say("moves-after", { move: this.spell(input.path) })
      : node && !all ? say("moves-steps") : "";
    if (focused) (this.list.querySelector("button") ?? this.list).focus();
    this.suggest();
  }

  /** Continue with a letter that was typed on the board. @param {string} letter */
  type(letter) {
    openSheet("words");
    this.field.value += letter;
    this.field.focus();
    this.suggest();
  }

  suggest() {
    const root = this.input.root;
    const text = this.field.value;
    const found = root && text ? complete(root, text, formsOf) : [];
    this.suggested.replaceChildren(...found.slice(0, MOST_SUGGESTIONS).map((atoms) => h("button", {
      type: "button",
      onclick: () => {
        const whole = typeof after(/** @type {any} */ (root), atoms) === "string";
        this.field.value = this.spelt(atoms) + (whole ? "" : "-");
        this.field.focus();
        this.suggest();
      },
    }, this.spelt(atoms))));
  }

  async playTyped() {
    const { input } = this;
    const { root } = input;
    if (!root || !this.field.value.trim()) return;
    const { atoms: known, node, rest } = read(root, this.field.value, formsOf);
    const atoms = [...known, ...split(rest)];
    input.cancel();
    if (rest && node !== null) return input.handlers.explain(atoms);
    closeSheet();
    await input.choose(...atoms);
    this.field.value = input.path.length && input.ready === null ? `${this.spelt(atoms)}-` : "";
    this.suggest();
  }

  // ---- answers ----

  /**
   * Show why a choice is impossible, with a link to the rule.
   * @param {Refusal | null} refusal
   */
  refuse(refusal) {
    const text = refusal?.text ?? refusal?.message ?? "";
    this.answer.hidden = !text;
    this.answer.replaceChildren(text);
    if (refusal?.rule) {
      this.answer.append(" ", h("a", { href: ruleAddress(refusal.rule), target: "_blank" }, say("read-rule")));
    }
  }
}
