// Sharing a table: a picture of the position, or of a game that is over an animation, and the link.
import { copy } from "./actions.js";
import { h, need } from "./dom.js";
import { link } from "./invitation.js";
import { lang, say } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/**
 * Show what may be shared, and the ways to do it.
 * @param {Table} table
 */
export function shareTable({ game, id, main, state }) {
  if (!state) return;
  const over = state.outcome !== null;
  const title = main.dataset.title ?? "";
  const card = `/picture/table/${id}/${lang}.png?n=${state.n}`;
  const shown = h("img", { src: over ? `/picture/table/${id}/game.png?n=${state.n}` : card, alt: say(over ? "share-moving" : "share-still") });
  const save = h("a", { class: "button", href: shown.src, download: `${game}-${id}.png` }, say("share-save"));
  /** The picture as a file, once it is there: the system takes only what is at hand. @type {File | null} */
  let file = null;
  shown.addEventListener("load", async () => {
    const answer = await fetch(shown.src, { cache: "force-cache" }).catch(() => null);
    if (answer?.ok) file = new File([await answer.blob()], save.download, { type: "image/png" });
    shown.dataset.ready = "";
  });
  shown.addEventListener("error", () => {
    if (shown.src.endsWith(card)) return shown.remove();
    Object.assign(shown, { src: card, alt: say("share-still") });
    save.href = card;
  });
  const send = () => {
    const files = file && navigator.canShare?.({ files: [file] }) ? [file] : null;
    const what = files ? { files, title, text: `${title} ${link}` } : { title, url: link };
    navigator.share(what).catch(() => undefined); // a cancelled sharing is no failure
  };
  const system = "share" in navigator;
  const dialog = h("dialog", { class: "sure share", "aria-label": say("share"), onclose: () => dialog.remove() },
    h("form", { method: "dialog" },
      shown,
      h("p", { class: "row" },
        system && h("button", { type: "button", class: "main", onclick: send }, say("share-send")),
        h("button", { class: system ? "" : "main", onclick: () => copy(link) }, say("invite")),
        save,
        h("button", {}, say("close")))));
  need("table").append(dialog);
  dialog.showModal();
}
