// Shows one thing after another: each keeps its time before the next. A long backlog is skipped at
// once.

/**
 * Shows something and says how many milliseconds belong to it. In a hurry it is not looked at: only
 * what it leaves behind counts.
 * @typedef {(hurried: boolean) => number} Beat
 */
/**
 * What time it is, in milliseconds, and a way to let something happen later; what `after` returns
 * prevents it.
 * @typedef {{now: () => number, after: (ms: number, then: () => void) => () => void}} Clock
 */

const MOST_BEATS = 60; // with more beats waiting than this, the eye cannot follow them

/** @type {Clock} */
const wall = {
  now: () => performance.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export class Pace {
  /** @param {Clock} [clock] */
  constructor(clock = wall) {
    this.clock = clock;
    /** @type {Beat[]} */
    this.waiting = [];
    /** Ends the time of what is shown; null when it is over. @type {(() => void) | null} */
    this.end = null;
    /** When the last thing that takes time has had it. */
    this.rested = -Infinity;
  }

  /** Whether there is more than what is shown. */
  get behind() {
    return this.waiting.length > 0;
  }

  /**
   * How many milliseconds are left of a pause that began when the last thing was over: nothing,
   * where what comes next has taken that long by itself.
   * @param {number} ms
   */
  left(ms) {
    return Math.max(0, this.rested + ms - this.clock.now());
  }

  /**
   * Show these when it is their turn.
   * @param {Beat[]} beats
   */
  add(beats) {
    this.waiting.push(...beats);
    if (this.waiting.length > MOST_BEATS) this.skip();
    else if (!this.end) this.go();
  }

  go() {
    this.end = null;
    for (let beat = this.waiting.shift(); beat; beat = this.waiting.shift()) {
      const ms = beat(false);
      if (ms > 0) {
        this.rested = this.clock.now() + ms;
        this.end = this.clock.after(ms, () => this.go());
        return;
      }
    }
  }

  /** Come to the present at once. */
  skip() {
    if (!this.end && !this.behind) return;
    this.end?.();
    this.end = null;
    this.rested = this.clock.now();
    for (let beat = this.waiting.shift(); beat; beat = this.waiting.shift()) beat(true);
  }
}
