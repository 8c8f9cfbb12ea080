// The players: names, levels, clocks, presence.
import { emblem, frame } from "./badge.js";
import { h, need } from "./dom.js";
import { Waiting } from "./waiting.js";
import { botMark, plainName } from "./voice.js";
import { say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").SeatState} Seat */
/** @typedef {import("./waiting.js").Handlers & {flipped: () => boolean}} Handlers */

export class People {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.list = need("seats");
    /** Open seats and players who have left. */
    this.waiting = new Waiting(handlers);
    /** @type {State | null} */
    this.state = null;
    /** The timer that updates times on the page; only while one is shown. @type {number |
     * undefined}
     */
    this.ticking = undefined;
  }

  /** @param {State} state */
  draw(state) {
    this.state = state;
    this.list.replaceChildren(...inOrder(state, this.handlers.flipped()).map((seat) => this.seat(state, seat)));
    frame(this.list);
    const turn = /** @type {HTMLElement | null} */ (this.list.querySelector(".to-move, .won"));
    if (turn) this.list.scrollLeft = turn.offsetLeft - (this.list.clientWidth - turn.offsetWidth) / 2;
    this.waiting.draw(state);
    clearInterval(this.ticking);
    this.ticking = setInterval(() => this.tick(), 250);
    this.tick();
  }

  /**
   * @param {State} state
   * @param {Seat} seat
   */
  seat(state, seat) {
    const mine = state.you.seats.includes(seat.seat);
    const won = state.outcome?.winners.includes(seat.seat);
    const away = seat.status === "person" && !seat.present && !mine;
    const classes = [
      "seat", `seat-${seat.seat}`, mine && "mine", won && "won",
      state.choosing.includes(seat.seat) && "to-move", away && "away",
    ];
    const kind = seat.status === "computer" ? say("computer")
      : seat.status === "open" ? say("open-seat")
        : state.clock?.paused[seat.seat] ? say("on-holiday")
        : seat.bot && seat.awaited ? say("awaited") : away ? say("away") : mine && state.you.seats.length < state.seats.length ? say("you") : "";
    const { tallies } = state.badges[seat.seat];
    const name = plainName(seat);
    // In a strip there is room for one name: those of one name have that of their seat.
    const twins = state.seats.length > 2 && state.seats.filter((other) => plainName(other) === name).length > 1;
    return h("li", { class: classes.filter(Boolean).join(" "), "aria-current": state.choosing.includes(seat.seat) && "true" },
      emblem(state, seat.seat),
      h("span", { class: "seat-label" }, seat.label),
      h("span", { class: "seat-name" }, twins || name === seat.label ? "" : name),
      h("span", { class: "seat-kind" }, botMark(seat), kind),
      tallies.length > 0 && h("span", { class: "tallies" }, ...tallies.map((tally) => h("span", { class: "tally", title: tally }, tally))),
      state.clock && h("span", { class: "clock", "data-clock": seat.seat }),
      won && h("span", { class: "unseen" }, say("winner")));
  }

  /** Let the clocks run between two messages, and patience with them. */
  tick() {
    const patient = this.waiting.tick();
    const clock = this.state?.clock;
    if (!patient && !clock?.running.length) clearInterval(this.ticking);
    if (!clock) return;
    const passed = performance.now() - (this.state?.heard ?? 0);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll("[data-clock]"))) {
      const seat = Number(element.dataset.clock);
      const left = Math.max(0, clock.remaining[seat] - (clock.running.includes(seat) ? passed : 0));
      element.textContent = written(left);
      element.classList.toggle("running", clock.running.includes(seat));
      element.classList.toggle("short", left < 30_000);
    }
  }
}

/**
 * The seats in the order of their cards: whose side is near comes last, the others as they play after it.
 * Near is the reader's own seat; at one screen, that of who looks, or of the side of the board below.
 * @param {State} state
 * @param {boolean} flipped
 */
function inOrder({ near, scene, seats, you }, flipped) {
  const opposite = seats.length === 2 && !scene.panels.length;
  const below = flipped ? 1 - near : near;
  const last = you.seats.length === 1 ? you.seats[0] : opposite ? below : you.as ?? seats.length - 1;
  return seats.map((_, i) => seats[(last + 1 + i) % seats.length]);
}

/**
 * A time as a clock shows it: days and hours, hours and minutes, or minutes and seconds.
 * @param {number} ms
 */
export function written(ms) {
  const seconds = Math.ceil(ms / 1000);
  /** @param {number} value */
  const two = (value) => String(Math.floor(value)).padStart(2, "0");
  if (seconds >= 86_400) return say("days-hours", { days: Math.floor(seconds / 86_400), hours: Math.floor((seconds % 86_400) / 3600) });
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
