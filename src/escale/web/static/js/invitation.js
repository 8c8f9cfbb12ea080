// The address of this table for others: the address of a page at `localhost` is useless to them.
import { h, need } from "./dom.js";
import { address, lang, say } from "./words.js";

const { origins = "", network = "", table = "", title = "" } = need("table").dataset;

/** Whether a host is the machine on which the page is open. @param {string} host */
const local = (host) => host === "[::1]" || /^127\.|(^|\.)localhost$/.test(host);

/** The origin that links are made with: the one of the settings, else the one of the network. */
function origin() {
  const known = origins.split(" ").filter(Boolean);
  if (known.length) return known.includes(location.origin) ? location.origin : known[0];
  return (local(location.hostname) && network.split(" ")[0]) || location.origin;
}

const found = origin();

/** This table's address, for others and for the reader's other devices. */
export const link = found + location.pathname;

/** The remark that the link does not work on other machines, if that is so. */
export function reach() {
  return local(new URL(link).hostname) && h("p", { class: "small soft only-here" },
    say("only-here"), " ", h("a", { href: address("/host#friends"), target: "_blank" }, say("only-here-help")));
}

/** The remark that the link differs from the page's own, which works only on this machine. */
function elsewhere() {
  return found !== location.origin && local(location.hostname)
    && h("p", { class: "small soft other-address" }, say("other-address", { here: location.host, there: new URL(link).host }));
}

/**
 * The ways to invite: a code for the camera of a phone, the link, the system's own way of sharing,
 * and the lobby.
 * @param {HTMLElement} place
 * @param {boolean} listed  whether the table is in the lobby
 * @param {{invite: () => void, publish: (listed: boolean) => void}} handlers
 */
export function drawInvitation(place, listed, handlers) {
  const code = `/picture/table/${table}/${lang}/qr.svg?at=${encodeURIComponent(found)}`;
  const box = h("input", { type: "checkbox", checked: listed, onchange: () => handlers.publish(box.checked) });
  const dealtByHand = document.querySelector("main")?.dataset.dealtByHand;
  if (dealtByHand) place.append(h("p", { class: "notice dealt-by-hand" }, dealtByHand));
  place.append(h("div", { class: "invitation" },
    !local(new URL(link).hostname) && h("img", { class: "qr", src: code, width: 164, height: 164, alt: say("qr") }),
    h("div", {},
      h("p", {}, say("invite-how")),
      h("input", { class: "address", type: "text", readonly: true, value: link, "aria-label": say("link"), onfocus: () => /** @type {HTMLInputElement} */ (document.activeElement).select() }),
      h("p", { class: "row" },
        h("button", { type: "button", class: "main copy", onclick: handlers.invite }, say("invite")),
        "share" in navigator && h("button", { type: "button", class: "share", onclick: share }, say("share"))),
      h("label", { class: "listed" }, box, h("span", {}, say("publish"))),
      elsewhere(), reach())));
}

/**
 * Show whether the table is in the lobby, where an invitation is drawn already.
 * @param {HTMLElement} place
 * @param {boolean} listed
 */
export function showListed(place, listed) {
  const box = /** @type {HTMLInputElement | null} */ (place.querySelector(".listed input"));
  if (box) box.checked = listed;
}

/** Let the system share the link; a cancelled sharing is no failure. */
function share() {
  navigator.share({ title, url: link }).catch(() => undefined);
}
