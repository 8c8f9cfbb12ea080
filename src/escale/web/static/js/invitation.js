// Where others find this table: a page that was opened at `localhost` has an address of no use to them.
import { h, need } from "./dom.js";
import { address, say } from "./words.js";

const { origins = "", network = "" } = need("table").dataset;

/** Whether a host is the machine on which the page is open. @param {string} host */
const local = (host) => host === "[::1]" || /^127\.|(^|\.)localhost$/.test(host);

/** The origin that links are made with: as the house was told, else as the network knows it. */
function origin() {
  const told = origins.split(" ").filter(Boolean);
  if (told.length) return told.includes(location.origin) ? location.origin : told[0];
  return (local(location.hostname) && network.split(" ")[0]) || location.origin;
}

/** This table's address, for others and for one's other devices. */
export const link = origin() + location.pathname;

/** The remark that the link does not lead here from other machines, where that is so. */
export function reach() {
  return local(new URL(link).hostname) && h("p", { class: "small soft only-here" },
    say("only-here"), " ", h("a", { href: address("/host#friends"), target: "_blank" }, say("only-here-help")));
}
