// Sharing a table: a picture of the position, or of a game that is over an animation, and the link.
import { copy } from "./actions.js";
import { h, need } from "./dom.js";
import { link } from "./invitation.js";
import { lang, say } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/** The lines that show the table on another page: no script, and no seat. @param {string} id @param {string} title */
function snippet(id, title) {
  const address = new URL(link).origin + (lang === "fr" ? "" : `/${lang}`) + `/embed/table/${id}`;
  const frame = h("iframe", { src: address, title, width: 390, height: 640, loading: "lazy" });
  const code = new XMLSerializer().serializeToString(frame).replace(/ xmlns="[^"]*"/, "");
  return h("details", {}, h("summary", {}, say("embed-here")), h("textarea", { class: "snippet", readonly: true, rows: 3, "aria-label": say("embed-here") }, code));
}

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
        h("button", {}, say("close"))),
      "embeds" in main.dataset && (over || state.public) && snippet(id, title)));
  need("table").append(dialog);
  dialog.showModal();
}
