// Who sits where: names, levels, clocks, who is there, and open seats that wait for somebody.
import { emblem, frame } from "./badge.js";
import { h, need } from "./dom.js";
import { reach } from "./invitation.js";
import { keepName, name } from "./memory.js";
import { say } from "./words.js";

/** @typedef {import("./live.js").State} State */
/** @typedef {import("./types.js").SeatState} Seat */
/** @typedef {{sit: (seat: number, name: string) => void, hand: (seat: number) => void, invite: () => void, flipped: () => boolean}} Handlers */

export class People {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.list = need("seats");
    this.waiting = need("waiting");
    /** @type {State | null} */
    this.state = null;
    /** Since when somebody is not there, by seat. @type {Map<number, number>} */
    this.gone = new Map();
    /** Who may still come back by themselves. @type {Seat[]} */
    this.expected = [];
    /** What lets time be seen to pass; only while it matters. @type {number | undefined} */
    this.ticking = undefined;
  }

  /** @param {State} state */
  draw(state) {
    this.state = state;
    for (const seat of state.seats) {
      if (seat.status !== "person" || seat.present) this.gone.delete(seat.seat);
      else if (!this.gone.has(seat.seat)) this.gone.set(seat.seat, performance.now());
    }
    this.list.replaceChildren(...inOrder(state, this.handlers.flipped()).map((seat) => this.seat(state, seat)));
    frame(this.list);
    const turn = /** @type {HTMLElement | null} */ (this.list.querySelector(".to-move, .won"));
    if (turn) this.list.scrollLeft = turn.offsetLeft - (this.list.clientWidth - turn.offsetWidth) / 2;
    this.drawWaiting(state);
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
      state.turn === seat.seat && "to-move", away && "away",
    ];
    const kind = seat.status === "computer" ? say("computer")
      : seat.status === "open" ? say("open-seat")
        : away ? say("away") : mine && state.you.seats.length < state.seats.length ? say("you") : "";
    const { tallies } = state.badges[seat.seat];
    return h("li", { class: classes.filter(Boolean).join(" "), "aria-current": state.turn === seat.seat && "true" },
      emblem(state, seat.seat),
      h("span", { class: "seat-label" }, seat.label),
      h("span", { class: "seat-name" }, called(seat) === seat.label ? "" : called(seat)),
      h("span", { class: "seat-kind" }, kind),
      tallies.length > 0 && h("span", { class: "tallies" }, ...tallies.map((tally) => h("span", { class: "tally", title: tally }, tally))),
      state.clock && h("span", { class: "clock", "data-clock": seat.seat }),
      won && h("span", { class: "unseen" }, say("winner")));
  }

  /** The room before everybody is there: sit down, invite, or let the computer take a seat. @param {State} state */
  drawWaiting(state) {
    const open = state.seats.filter((seat) => seat.status === "open");
    const left = state.you.seats.length && !state.outcome && !state.clock
      ? state.seats.filter((seat) => seat.status === "person" && !seat.present && !state.you.seats.includes(seat.seat))
      : [];
    this.expected = left.filter((seat) => this.patient(seat));
    this.waiting.hidden = !open.length && !left.length;
    if (this.waiting.hidden) return this.waiting.replaceChildren();
    if (this.waiting.contains(document.activeElement) && document.activeElement?.localName === "input") return;
    const seated = state.you.seats.length > 0;
    const field = h("input", { id: "guest-name", maxlength: 40, autocomplete: "nickname", value: name() });
    this.waiting.replaceChildren();
    if (open.length) {
      this.waiting.append(h("h2", {}, say(seated ? "waiting" : "sit-down")));
      if (!seated) this.waiting.append(h("label", { for: "guest-name" }, say("your-name")), field);
      this.waiting.append(h("ul", { class: "open-seats" }, ...open.map((seat) => h("li", {},
        h("b", {}, seat.label),
        seated
          ? h("button", { type: "button", onclick: () => this.handlers.hand(seat.seat) }, say("computer-sits"))
          : h("button", {
            type: "button", class: "main",
            onclick: () => {
              keepName(field.value.trim());
              this.handlers.sit(seat.seat, field.value.trim());
            },
          }, say("sit-here"))))));
      this.waiting.append(h("button", { type: "button", onclick: () => this.handlers.invite() }, say("invite")), reach() || "");
    }
    for (const seat of left) {
      this.waiting.append(h("p", {}, say("left", { name: seat.name || seat.label })));
      if (!this.patient(seat)) {
        this.waiting.append(h("button", { type: "button", onclick: () => this.handlers.hand(seat.seat) }, say("computer-finishes")));
      }
    }
  }

  /** Whether somebody who is not there may still come back before the computer takes over. @param {Seat} seat */
  patient(seat) {
    const since = this.gone.get(seat.seat) ?? performance.now();
    return performance.now() - since < 1000 * (this.state?.away ?? 0);
  }

  /** Let the clocks run between two messages, and patience with them. */
  tick() {
    if (this.state && this.expected.some((seat) => !this.patient(seat))) this.drawWaiting(this.state);
    const clock = this.state?.clock;
    if (!this.expected.length && (clock?.running ?? null) === null) clearInterval(this.ticking);
    if (!clock) return;
    const passed = performance.now() - (this.state?.heard ?? 0);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll("[data-clock]"))) {
      const seat = Number(element.dataset.clock);
      const left = Math.max(0, clock.remaining[seat] - (clock.running === seat ? passed : 0));
      element.textContent = written(left);
      element.classList.toggle("running", clock.running === seat);
      element.classList.toggle("short", left < 30_000);
    }
  }
}

/** Who sits there: their name, or the computer's level. @param {Seat} seat */
export function called(seat) {
  if (seat.status === "open") return "—";
  return (seat.status === "computer" ? seat.level_name : seat.name) || seat.label;
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
