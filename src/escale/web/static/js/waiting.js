// Before all players are there: sitting down, inviting others, filling seats with computers; and
// the choices after a player has left.
import { h, need } from "./dom.js";
import { drawInvitation, showListed } from "./invitation.js";
import { keepName, name } from "./memory.js";
import { called, nameField } from "./voice.js";
import { address, say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").SeatState} Seat */
/**
 * @typedef {{sit: (seat: number, name: string) => void, hand: (seat: number) => void, invite: () => void,
 *   publish: (listed: boolean) => void, withdraw: (whom: number) => void}} Handlers
 */

export class Waiting {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.place = need("waiting");
    /** @type {State | null} */
    this.state = null;
    /** What is shown, by what makes it another. */
    this.shown = "";
    /** The time since which a player is absent, by seat. @type {Map<number, number>} */
    this.gone = new Map();
    /** Players who may still come back by themselves. @type {Seat[]} */
    this.expected = [];
    /** The module for challenged bots, once it is loaded. @type
     * {import("./challenge.js").Challenges | null}
     */
    this.challenges = null;
    if (need("table").dataset.challenge !== undefined) {
      import("./challenge.js").then(({ Challenges }) => {
        this.challenges = new Challenges(handlers.withdraw);
        if (this.state) this.draw(this.state);
      }, () => {}); // the table can be played at without it
    }
  }

  /** @param {State} state */
  draw(state) {
    this.state = state;
    for (const seat of state.seats) {
      if (seat.status !== "person" || seat.present) this.gone.delete(seat.seat);
      else if (!this.gone.has(seat.seat)) this.gone.set(seat.seat, performance.now());
    }
    const { seats, you } = state;
    const open = seats.filter((seat) => seat.status === "open");
    const left = you.seats.length && !state.outcome && !state.clock
      ? seats.filter((seat) => seat.status === "person" && !seat.present && !you.seats.includes(seat.seat) && !(seat.bot && seat.awaited))
      : [];
    this.expected = left.filter((seat) => this.patient(seat));
    const asked = this.challenges?.look(state, this.gone) ?? [];
    const shown = JSON.stringify([open, left, this.expected.length, you.seats, asked, this.challenges !== null]);
    if (shown === this.shown) return showListed(this.place, state.public); // what has the focus keeps it
    if (this.place.contains(document.activeElement) && document.activeElement?.localName === "input" && open.length && !you.seats.length) return;
    this.shown = shown;
    this.place.hidden = !open.length && !left.length && !asked.length;
    const waits = document.activeElement?.classList.contains("withdraw");
    this.place.replaceChildren();
    this.challenges?.draw(this.place, state, asked);
    if (waits) /** @type {HTMLElement | null} */ (this.place.querySelector(".withdraw"))?.focus();
    if (open.length) this.drawOpen(state, open);
    for (const seat of left) this.drawLeft(seat);
  }

  /**
   * Players invite others, and may fill seats with computers; others may sit down.
   * @param {State} state
   * @param {Seat[]} open
   */
  drawOpen(state, open) {
    const seated = state.you.seats.length > 0;
    this.place.append(h("h2", {}, say(seated ? "waiting" : "sit-down")));
    if (state.hints) this.place.append(h("p", { class: "hints-here" }, say("hints-here")));
    if (seated) {
      drawInvitation(this.place, state.public, this.handlers);
      this.place.append(h("p", { class: "meanwhile" },
        h("a", { href: address(`/g/${state.game}`), target: "_blank" }, say("meanwhile")), " ", say("meanwhile-how")));
      this.place.append(h("h3", {}, say("or-computer")), this.seats(open, (seat) => h("button", {
        type: "button", onclick: () => this.handlers.hand(seat.seat),
      }, say("computer-sits"))));
      return;
    }
    const field = nameField("guest-name", name(), state.phrases);
    const sit = (/** @type {Seat} */ seat) => {
      keepName(field.value.trim());
      this.handlers.sit(seat.seat, field.value.trim());
    };
    this.place.append(h("label", { for: "guest-name" }, say("your-name")), field,
      this.seats(open, (seat) => h("button", { type: "button", class: "main", onclick: () => sit(seat) }, say("sit-here"))),
      h("button", { type: "button", class: "copy", onclick: () => this.handlers.invite() }, say("invite")));
  }

  /**
   * @param {Seat[]} open
   * @param {(seat: Seat) => HTMLElement} button
   */
  seats(open, button) {
    return h("ul", { class: "open-seats" }, ...open.map((seat) => h("li", {}, h("b", {}, seat.label), button(seat))));
  }

  /** @param {Seat} seat */
  drawLeft(seat) {
    this.place.append(h("p", {}, say("left", { name: called(seat) })));
    if (this.patient(seat)) return;
    this.place.append(h("button", { type: "button", onclick: () => this.handlers.hand(seat.seat) }, say("computer-finishes")));
  }

  /** Whether an absent player may still come back before the computer takes over. @param {Seat}
   * seat
   */
  patient(seat) {
    const since = this.gone.get(seat.seat) ?? performance.now();
    return performance.now() - since < 1000 * (this.state?.away ?? 0);
  }

  /** Update the times of absent players; returns whether there are any. */
  tick() {
    const asked = this.state?.seats.some((seat) => seat.bot && seat.awaited) ?? false;
    if (this.state && (asked || this.expected.some((seat) => !this.patient(seat)))) this.draw(this.state);
    return asked || this.expected.length > 0;
  }
}
