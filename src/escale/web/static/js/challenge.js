// Bots that have been challenged: each accepts, declines, or does not answer. Fetched where there is one.
import { h } from "./dom.js";
import { botMark } from "./voice.js";
import { address, say } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").SeatState} Seat */

/** Milliseconds after which a bot that listens is said not to answer … */
const SILENT_MS = 20_000;
/** … and one that does not listen is said to have gone: a stream may be opened again at once. */
const GONE_MS = 3_000;

export class Challenges {
  /** @param {(whom: number) => void} withdraw */
  constructor(withdraw) {
    this.withdraw = withdraw;
    /** The time since which an answer is awaited, by the seat of a bot. @type {Map<number, number>} */
    this.asked = new Map();
  }

  /**
   * The bots that are awaited, and how it stands with each.
   * @param {State} state
   * @param {Map<number, number>} gone  since when the player of each seat is away
   * @returns {[Seat, "sent" | "silent" | "gone"][]}
   */
  look({ seats }, gone) {
    const now = performance.now();
    return seats.filter((seat) => seat.bot && seat.awaited).map((seat) => {
      const asked = this.asked.get(seat.seat) ?? now;
      this.asked.set(seat.seat, asked);
      if (!seat.present && now - (gone.get(seat.seat) ?? now) >= GONE_MS) return [seat, "gone"];
      return [seat, now - asked >= SILENT_MS ? "silent" : "sent"];
    });
  }

  /**
   * Show the player who waits for answers the state of the challenges, with a button to withdraw;
   * or the reason why there will be no game.
   * @param {HTMLElement} place
   * @param {State} state
   * @param {ReturnType<Challenges["look"]>} found
   */
  draw(place, { log, seats, you }, found) {
    for (const [seat, stands] of found) {
      const { name } = seat;
      const overdue = stands !== "sent";
      place.append(
        h("h2", {}, say("challenged"), " ", botMark(seat), " ", name),
        h("p", { class: "challenge", role: overdue && "alert" }, say(`challenge-${stands}`, { name })));
      if (you.seats.length) {
        place.append(h("p", {}, h("button", {
          type: "button", class: overdue ? "withdraw main" : "withdraw", onclick: () => this.withdraw(seat.seat),
        }, say("withdraw"))));
      }
    }
    for (const seat of seats.filter(({ status }) => status === "open")) {
      const refusal = log.findLast((item) => item.do === "decline" && item.seat === seat.seat);
      if (refusal) place.append(h("p", { class: "declined" }, refusal.sentence, " ", h("a", { href: address("/bots") }, say("other-bots"))));
    }
  }
}
