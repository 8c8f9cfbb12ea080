// The page of a review: a match played again on the board, move by move, with what is said of each,
// and the better lines at its turning points. A review that is not made yet is asked for; it is shown
// while it is made, the last moves first.
import { ask } from "./ask.js";
import { h, need } from "./dom.js";
import { wireTableForm } from "./from_here.js";
import { closeSheet, wireSheet } from "./sheet.js";
import { StudyBoard, study } from "./study_board.js";
import { say } from "./words.js";

/** @typedef {import("./types.js").ReviewText} ReviewText */
/** @typedef {import("./types.js").ReviewState} ReviewState */

const POLL_MS = 1000; // milliseconds between two questions how far a review is

/** Ask for a review, and show it as soon as something of it is there. @param {HTMLElement} page */
async function wait(page) {
  const table = page.dataset.wait || new URLSearchParams(location.search).get("id") || "";
  const path = `/api/tables/${table}/review`;
  const status = need("progress");
  const bar = /** @type {HTMLProgressElement} */ (need("wait-bar"));
  const form = /** @type {HTMLFormElement} */ (page.querySelector("form"));
  form.hidden = true;
  try {
    /** @type {ReviewState} */
    let found = await ask(path, { body: {} });
    while (found.state === "making" && !found.review) {
      bar.hidden = false;
      bar.max = Math.max(1, found.total);
      bar.value = found.done;
      status.textContent = say("review-progress", { done: found.done, total: found.total });
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      found = await ask(path);
    }
    if (found.review && page.dataset.wait) return location.reload();
    if (found.state === "made") return await write(page, path);
    status.textContent = found.problem ?? say("failed");
  } catch (problem) {
    status.textContent = /** @type {{message?: string}} */ (problem).message ?? say("failed");
  }
  bar.hidden = true;
  form.hidden = false; // to try again
}

/** A review that this device has made: it writes the page, too. @param {HTMLElement} page @param {string} path */
async function write(page, path) {
  const { html } = await ask(`${path}/page`);
  const found = new DOMParser().parseFromString(html, "text/html").body;
  const article = /** @type {HTMLElement} */ (document.adoptNode(/** @type {Element} */ (found.firstElementChild)));
  document.body.classList.add("at-board");
  page.replaceWith(article);
  await open(article);
}

/** Plays a review on the board. */
class Player {
  /** @param {HTMLElement} page @param {ReviewText} review */
  constructor(page, review) {
    this.page = page;
    this.review = review;
    this.slug = page.dataset.game ?? "";
    /** How many moves of the match have been played; with a line, where that branches off. */
    this.index = 0;
    /** The better line that is shown, and how many of its moves. @type {{turn: number, step: number} | null} */
    this.line = null;
    /** Which question is the latest: answers to others are no longer wanted. */
    this.asked = 0;
    this.status = need("announcements");
    this.board = new StudyBoard(need("board"), this.slug, h("p"), { play: () => {} });
    this.host = need("board");
    this.seat = /** @type {HTMLInputElement} */ (page.querySelector('#replay [name="seat"]'));
    this.host.setAttribute("role", "img");
  }

  /** The moves and chance outcomes that are on the board. */
  get plies() {
    const { moves, line } = this.review;
    if (this.index < moves.length) return this.index ? moves[this.index - 1].ply + 1 : moves[0].ply;
    return line.length;
  }

  /** What is on the board as a question to the house. */
  get where() {
    const { start, line, turns, moves } = this.review;
    if (!this.line) return { position: start, line: line.slice(0, this.plies), open: true };
    const turn = turns[this.line.turn];
    const better = turn.better.steps.slice(0, this.line.step).map((step) => step.text);
    return { position: start, line: [...line.slice(0, moves[turn.index].ply), ...better], open: true };
  }

  /** Show the remarks on the present place. */
  get words() {
    const { moves, turns, result } = this.review;
    if (this.line) {
      const { steps, verdict } = turns[this.line.turn].better;
      const step = steps[this.line.step - 1];
      if (!step) return say("review-line-begins", { move: steps[0].label });
      const last = this.line.step === steps.length;
      return say("review-line-step", { seat: step.who, move: step.label }) + (last ? ` ${verdict}` : "");
    }
    const move = moves[this.index - 1];
    if (!move) return say("review-begins");
    const parts = [say("review-move", { number: move.number, seat: move.who, move: move.label }), `${move.judged}.`, move.why, move.open];
    if (this.index === moves.length) parts.push(result);
    return parts.filter(Boolean).join(" ");
  }

  /**
   * Go somewhere.
   * @param {number} index
   * @param {{turn: number, step: number} | null} [line]
   */
  async go(index, line = null) {
    const last = this.review.moves.length;
    const forward = line ? line.step > 0 && line.step === (this.line?.step ?? -1) + 1 : index === this.index + 1 && !this.line;
    this.index = Math.max(0, Math.min(last, index));
    this.line = line;
    this.mark();
    const asked = (this.asked += 1);
    const position = await study(this.slug, this.where).catch(() => null);
    if (asked !== this.asked) return;
    if (!position) return void (this.status.textContent = say("failed"));
    await this.board.show(position, { animate: forward, closed: true });
    this.host.setAttribute("aria-label", this.words);
    this.seat.value = String(position.turn); // the reader plays on from here for the seat to move
    if (!line) return this.compare(asked);
    if (line.step) return;
    const { where } = this;
    const better = this.review.turns[line.turn].better.steps[0].text;
    const next = await study(this.slug, { ...where, line: [...where.line, better] }).catch(() => null);
    if (asked === this.asked && next?.last) this.board.pointOut([next.last]);
  }

  /** After a move that cost much: an arrow for a better one, and one for what was played. @param {number} asked */
  async compare(asked) {
    const { start, line, moves } = this.review;
    const move = moves[this.index - 1];
    const { position } = this.board;
    if (!move?.better || !position?.last || this.plies !== move.ply + 1) return;
    const played = position.last;
    const where = { position: start, line: [...line.slice(0, move.ply), move.better], open: true };
    const other = await study(this.slug, where).catch(() => null);
    if (asked === this.asked && other?.last) this.board.pointOut([other.last, played]);
  }

  /** One step on, or back: along the line that is shown, else along the match. @param {number} by */
  step(by) {
    const { line } = this;
    if (!line) return this.go(this.index + by);
    const step = line.step + by;
    const longest = this.review.turns[line.turn].better.steps.length;
    if (step < 0) return this.go(this.review.turns[line.turn].index);
    return step > longest ? undefined : this.go(this.index, { turn: line.turn, step });
  }

  /** Say where one is, and show it in the curve and in the lists. */
  mark() {
    this.status.textContent = this.words;
    this.status.classList.toggle("line", Boolean(this.line));
    const shown = this.line ? this.review.turns[this.line.turn].index : this.index - 1;
    for (const row of this.page.querySelectorAll(".review-moves tr")) {
      const now = /** @type {HTMLElement} */ (row).dataset.index === String(shown);
      row.classList.toggle("now", now);
      if (now) scrollWithin(/** @type {HTMLElement} */ (row));
    }
    for (const item of this.page.querySelectorAll("[data-turn]")) {
      item.classList.toggle("shown", /** @type {HTMLElement} */ (item).dataset.turn === String(this.line?.turn));
    }
    const curve = /** @type {SVGElement | null} */ (this.page.querySelector("svg.curve"));
    const here = curve?.querySelector(".here");
    if (curve && here) {
      const { left, right, last } = numbers(curve);
      const x = left + ((720 - left - right) * this.index) / last;
      for (const name of ["x1", "x2"]) here.setAttribute(name, String(x));
    }
  }
}

/** @param {SVGElement} curve */
function numbers(curve) {
  const { left, right, last } = curve.dataset;
  return { left: Number(left), right: Number(right), last: Number(last) };
}

/** Bring a row into sight within its list; the page stays where it is. @param {HTMLElement} row */
function scrollWithin(row) {
  const list = row.closest(".review-scroll");
  if (list) list.scrollTop = row.offsetTop - list.clientHeight / 2;
}

/**
 * Show what has been added to a review while it is made, without leaving the place on the board.
 * @param {Player} player
 */
async function follow(player) {
  const { page } = player;
  const path = `/api/tables/${page.dataset.review}/review`;
  while ("making" in page.dataset) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    try {
      /** @type {ReviewState} */
      const found = await ask(path);
      const answer = await fetch(location.pathname);
      if (!found.review || !answer.ok) return location.reload(); // it was given up: the page says why
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const shown = player.line && { ...player.line, at: player.review.turns[player.line.turn].index };
      player.review = found.review;
      if (shown) player.line = { turn: found.review.turns.findIndex(({ index }) => index === shown.at), step: shown.step };
      if (player.line && player.line.turn < 0) void player.go(player.index); // it is no turning point any more
      for (const part of [".review-curve", "#sheet .pane"]) {
        const now = page.querySelector(part), then = fresh.querySelector(part);
        if (now && then) now.replaceChildren(...then.childNodes);
      }
      if (found.state === "made" && !fresh.querySelector("[data-making]")) delete page.dataset.making;
      wireParts(player);
      player.mark();
    } catch {
      // The network: the next question follows.
    }
  }
}

/** @param {HTMLElement} page */
async function open(page) {
  /** @type {ReviewState} */
  const found = await ask(`/api/tables/${page.dataset.review}/review`);
  if (!found.review) return;
  const player = new Player(page, found.review);
  const last = found.review.moves.length;
  wireSheet();
  const turns = () => player.review.turns.map(({ index }) => index + 1).sort((a, b) => a - b);
  /** @type {Record<string, () => unknown>} */
  const ways = {
    first: () => player.go(0), back: () => player.step(-1), on: () => player.step(1), last: () => player.go(last),
    "turn-back": () => player.go(turns().findLast((index) => index < player.index) ?? 0),
    "turn-on": () => player.go(turns().find((index) => index > player.index) ?? last),
  };
  for (const [name, go] of Object.entries(ways)) page.querySelector(`[data-go="${name}"]`)?.addEventListener("click", go);
  /** @type {Record<string, () => unknown>} */
  const keys = { ArrowLeft: ways.back, ArrowRight: ways.on, Home: ways.first, End: ways.last };
  addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("select, input, .review-scroll")) return;
    const go = keys[event.key];
    if (!go) return;
    event.preventDefault();
    go();
  });
  wireParts(player);
  const form = /** @type {HTMLFormElement} */ (need("replay"));
  wireTableForm(form, player.slug, found.review.seats.map((seat) => seat.name), () => {
    const { position } = player.board;
    const seat = position?.turn;
    if (typeof seat !== "number") player.status.textContent = say("review-over-here");
    return typeof seat === "number" ? position : null;
  }, (refusal) => (player.status.textContent = /** @type {{message?: string}} */ (refusal).message ?? say("failed")));
  const making = "making" in page.dataset;
  await player.go(making ? last : 0); // the last moves are judged first
  if (making) void follow(player);
}

/** Wire what is drawn anew when a review grows: its curve, its moves and its turning points. @param {Player} player */
function wireParts(player) {
  const { page } = player;
  const form = /** @type {HTMLFormElement} */ (need("replay"));
  for (const cell of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".review-moves [data-index] .go"))) {
    const index = Number(/** @type {HTMLElement} */ (cell.closest("tr")).dataset.index);
    cell.replaceWith(h("button", { type: "button", class: "go", onclick: () => { closeSheet(); player.go(index + 1); } }, cell.textContent));
  }
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-turn]"))) {
    const turn = Number(item.dataset.turn);
    const index = player.review.turns[turn]?.index ?? 0;
    item.querySelector("[data-see]")?.addEventListener("click", () => { closeSheet(); player.go(index + 1); });
    item.querySelector("[data-replay]")?.addEventListener("click", async () => {
      await player.go(index); // before the move that cost much
      form.requestSubmit();
    });
    item.querySelector("[data-line]")?.addEventListener("click", () => {
      player.go(index, { turn, step: 0 });
      closeSheet();
      /** @type {HTMLElement | null} */ (page.querySelector('[data-go="on"]'))?.focus({ preventScroll: true });
    });
  }
  const curve = /** @type {SVGElement | null} */ (page.querySelector("svg.curve"));
  curve?.setAttribute("preserveAspectRatio", "none"); // as wide as the bar, and low
  curve?.addEventListener("click", (event) => {
    const box = curve.getBoundingClientRect();
    const { left, right } = numbers(curve);
    const x = ((event.clientX - box.left) / box.width) * 720;
    player.go(Math.round(((x - left) / (720 - left - right)) * player.review.moves.length));
  });
}

const waiting = /** @type {HTMLElement | null} */ (document.querySelector("[data-wait][data-over]"));
const page = /** @type {HTMLElement | null} */ (document.querySelector("[data-review]"));
if (waiting) wait(waiting);
if (page) open(page);
