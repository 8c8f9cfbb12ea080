// The board in words, for people who do not see it: requested while its pane is open.
import { need } from "./dom.js";

/** @typedef {import("./live.js").Live} Live */

export class BoardText {
  /** @param {Live} live */
  constructor(live) {
    this.live = live;
    this.pane = need("pane-words");
    this.text = need("board-text");
    /** The moment that is shown, or asked for. */
    this.at = "";
    /** The moment that shall be shown, and its address. */
    this.wanted = { at: "", path: "" };
    this.pane.addEventListener("opened", () => this.ask());
  }

  /**
   * The table has changed, or another moment of the game is looked at.
   * @param {number} n  the last event that is shown
   * @param {number | null} ply  the moment, if it is not now
   */
  draw(n, ply) {
    const path = `/text?${ply === null ? "" : `ply=${ply}`}${this.live.viewerQuery}`;
    this.wanted = { at: `${n} ${path}`, path };
    this.ask();
  }

  async ask() {
    const { at, path } = this.wanted;
    if (this.pane.hidden || !path || this.at === at) return;
    this.at = at;
    const found = await this.live.ask(path).catch(() => null);
    if (this.at !== at) return; // something newer was asked for meanwhile
    if (found) this.text.textContent = found.text;
    else this.at = "";
  }
}
