// A table: its state, and the verbs that show it. The modules beside it are functions over this
// state: arrivals.js handles messages of the house, actions.js sends actions, status.js and
// hand_cover.js draw the status, controls.js connects the page's buttons.
import * as actions from "./actions.js";
import { Recent } from "./again.js";
import { begin, follow } from "./arrivals.js";
import { alone, embedded, random } from "./ask.js";
import { Board } from "./board.js";
import { BoardText } from "./board_text.js";
import { wireControls } from "./controls.js";
import { Choosing } from "./choosing.js";
import { need } from "./dom.js";
import { drawEnd } from "./ending.js";
import { Input } from "./input.js";
import { link } from "./invitation.js";
import { Live } from "./live.js";
import * as memory from "./memory.js";
import { Pace } from "./pace.js";
import { People } from "./people.js";
import { described, labelOf } from "./pointed.js";
import { join } from "./state_of_play.js";
import { drawConnection, drawOffer, drawStatus, drawTools, forSeat } from "./status.js";
import { Story } from "./story.js";
import { face } from "./turning.js";
import { address } from "./words.js";

/** @typedef {import("./table_state.js").State} State */
/** @typedef {import("./types.js").Change} Change */
/** @typedef {import("./story.js").Page} Page */

export class Table {
  /** @param {HTMLElement} main */
  constructor(main) {
    /** The page's own element; its classes say how things stand. */
    this.main = main;
    /** The table's id, as in its address. */
    this.id = main.dataset.table || new URLSearchParams(location.search).get("id") || "";
    /** The slug of its game. */
    this.game = main.dataset.game ?? "";
    /** The token of the reader's seats; null for spectators. */
    this.token = takeSeat(this.id, this.game);
    /** Whether the notebook holds the seats, so that their token need not be remembered. */
    this.kept = false;
    /** The id under which a seat is asked for: where an answer is lost, the house gives it again. */
    this.wish = random(16);
    /** The table as it is shown; the connection may know more. @type {State | null} */
    this.state = null;
    /** The moment of the game that is shown instead of now. @type {Page | null} */
    this.page = null;
    /** The situation in which the reader can choose, by a key that changes with it. */
    this.moment = "";
    /** Whether a move made in what is shown is on its way. */
    this.sent = false;
    /** Whether a move waits for the coach, or for an answer to the coach's question. */
    this.weighed = false;
    /** The question, or the end, that was last said aloud, by where it stood. */
    this.asked = "";
    /** Whether the house can be reached. */
    this.online = false;
    /** Whether the end of the game has been shown. */
    this.ended = false;
    /** Whether I have asked for a rematch, or agreed to one: then I go there as soon as it is open. */
    this.again = false;
    /** Ends with the last question why something cannot be. */
    this.question = new AbortController();
    /** Shows what arrives one thing after another. */
    this.pace = new Pace();
    /** What was shown lately, to be seen again. */
    this.recent = new Recent();
    /** What is advised, once something was. @type {import("./advice.js").Advice | null} */
    this.advice = null;
    /** The coach; null if the reader wants none. @type {import("./coach.js").Coach | null} */
    this.coach = null;
    /** Whether a takeback is on its way. */
    this.undoing = false;
    this.board = new Board(need("board"), this.game);
    this.live = new Live(this.id, this.token, {
      state: (state) => begin(this, state),
      events: (state, items) => follow(this, state, items),
      presence: () => this.state && this.people.draw(this.state),
      refused: (refusal, action) => actions.refused(this, refusal, action.do),
      status: (status, reason) => drawConnection(this, status, reason),
      gone: () => location.replace(address(alone ? "/" : `/t/${this.id.replace("here-", "from-")}`)), // the house has taken it up
    });
    this.input = new Input(this.board, {
      play: (text) => actions.play(this, text),
      explain: (atoms) => actions.explain(this, atoms),
      forget: () => actions.forget(this),
      fetch: (atoms) => actions.fetchChoices(this, atoms),
      changed: () => {
        if (this.advice?.passing && this.input.path.length) this.advice.clear();
        this.choosing?.draw();
        drawStatus(this);
      },
      confirms: () => memory.setting("confirm"),
      point: (name, choice) => {
        need("pointed").textContent = described(this.board.scene, name, choice, this.choosing.label);
      },
      type: (letter) => this.choosing.type(letter),
      become: (atoms) => actions.fetchJumped(this, atoms),
    });
    this.choosing = new Choosing(this.input, labelOf, (atom) => forSeat(this.state, atom));
    this.text = new BoardText(this.live);
    this.people = new People({
      sit: (seat, name) => actions.sit(this, seat, name),
      hand: (seat) => this.live.act("hand", { seat }),
      invite: () => actions.copy(link),
      flipped: () => this.board.flipped,
      withdraw: (whom) => this.live.act("withdraw", { seat: this.seat, whom }),
      publish: (listed) => this.live.act("publish", { seat: this.seat, public: listed }),
    });
    this.story = new Story({
      page: async (ply) => {
        const page = await this.live.ask(`/plies/${ply}?${this.live.viewerQuery}`);
        return { ...page, scene: join(page.scene), pauses: page.pauses.map((/** @type {any} */ pause) => join(pause)) };
      },
      earlier: (before) => this.live.ask(`/log?before=${before}${this.live.viewerQuery}`).then(({ log }) => log),
      show: (page) => this.look(page),
      say: (text) => this.live.act("say", { seat: this.seat, text }),
      phrase: (name) => this.live.act("phrase", { seat: this.seat, phrase: name }),
    });
    wireControls(this);
    const analysis = /** @type {HTMLAnchorElement | null} */ (document.getElementById("to-analysis"));
    if (!main.dataset.table && analysis) analysis.search = `?table=${encodeURIComponent(this.id)}`;
    this.live.open();
  }

  /** The seat that acts: one of mine that has to choose, if there is one, else the first I hold. */
  get seat() {
    const { you, choosing } = /** @type {State} */ (this.state);
    if (you.as !== null && choosing.includes(you.as)) return you.as;
    return choosing.find((seat) => you.seats.includes(seat)) ?? you.as ?? you.seats[0];
  }

  /** Whether what is shown is all that is known. */
  get newest() {
    return this.state === this.live.state;
  }

  /** Whether a state is the situation that is shown. @param {State} state */
  isMoment(state) {
    return momentOf(state) === this.moment;
  }

  /**
   * Show a state of the table.
   * @param {State} state
   * @param {Change[]} changes  what has happened since the last
   * @param {{still?: boolean, step?: number}} [how]  whether nothing shall move; the time for a step
   * @returns {number}  how long pieces are on their way, in milliseconds
   */
  draw(state, changes, how = {}) {
    this.state = state;
    this.main.classList.add("drawn");
    this.main.classList.toggle("over", state.outcome !== null);
    this.main.classList.toggle("playing", state.begun && state.outcome === null);
    this.main.classList.toggle("parted", state.scene.panels.length > 0);
    face(this, state);
    this.people.draw(state);
    this.story.draw(state);
    if (this.story.at === null) this.page = null; // what was looked at has been taken back
    this.main.classList.toggle("replaying", this.page !== null);
    if (!this.isMoment(state)) this.sent = false;
    // What people say meanwhile does not give up a half-made move, nor one that the coach asks about.
    const same = this.isMoment(state) && (this.input.root !== null || this.weighed) && state.choices !== null;
    this.moment = momentOf(state);
    const lasts = this.page ? 0 : this.board.draw(state.scene, { changes, ...how });
    this.text.draw(state.n, this.page?.ply ?? null);
    if (!same) {
      this.advice?.clear();
      this.unlock();
      this.choosing.refuse(null);
    }
    drawStatus(this);
    drawOffer(this, state);
    drawTools(this);
    void this.countDown(state);
    drawEnd(state, this.kept ? null : this.token, this.again, {
      rematch: () => actions.offer(this, "rematch"), replay: () => this.story.play(), share: () => actions.share(this),
    });
    if (state.hidden && state.you.seats.length > 1) void this.cover(state, lasts);
    return lasts;
  }

  // Few tables need these two: they are fetched when one does.

  /** Cover the hand of another person at this screen. @param {State} state @param {number} lasts */
  async cover(state, lasts) {
    const { coverHand } = await import("./hand_cover.js");
    if (this.state === state) coverHand(this, state, lasts);
  }

  /** Count down what will end the game soon. @param {State} state */
  async countDown(state) {
    if (!state.countdowns.length && need("countdowns").hidden) return;
    const { drawCountdowns } = await import("./countdown.js");
    if (this.state === state) drawCountdowns(state);
  }

  /** Let moves be chosen, if there is nothing newer to choose in, and none is on its way. */
  unlock() {
    const open = this.newest && !this.page && !this.sent;
    this.input.set(open ? this.state?.choices ?? null : null, this.state?.ways);
  }

  /** Show another moment of the game, or now. @param {Page | null} page */
  look(page) {
    this.pace.skip();
    const begins = page !== null && this.page === null && need("bar").contains(document.activeElement);
    this.page = page;
    this.main.classList.toggle("replaying", page !== null);
    this.main.classList.remove("again");
    const state = /** @type {State} */ (this.state);
    this.board.draw(page?.scene ?? state.scene);
    this.unlock();
    this.text.draw(state.n, page?.ply ?? null);
    drawStatus(this);
    if (begins) need("replay-play").focus(); // its button gives way to those of the replay
  }
}

/** What makes it another situation to choose in. @param {State} state */
function momentOf(state) {
  // What others choose unseen, while I choose, is none.
  return `${state.ply - state.unshown} ${state.choosing.includes(state.you.as ?? -1) || state.choosing} ${state.you.as}`;
}

/**
 * The token of the reader's seats: from the address, from which it is removed, or remembered.
 * @param {string} table
 * @param {string} game
 */
function takeSeat(table, game) {
  if (embedded) return null;
  const said = new URLSearchParams(location.hash.slice(1));
  const found = said.get("seat");
  if (!found) return memory.seats()[table]?.token ?? null;
  if (said.get("coach") === "on") memory.keepCoached(table, true);
  memory.keepSeat(table, { token: found, seats: [], game, at: Date.now() });
  history.replaceState(null, "", location.pathname + location.search);
  return found;
}

new Table(need("table"));
