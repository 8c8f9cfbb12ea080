// A short celebration when a game has been won or a lesson ends: sparks fly once from the pieces that show it, but
// not with reduced motion, and not for the loser.
import { moving } from "./animate.js";
import { h } from "./dom.js";

/** @typedef {import("./table_state.js").State} State */

const SPARKS = 48; // in all
const MOST_PLACES = 12; // places from which they fly
const FLIGHT_MS = 1200; // milliseconds
const FLIGHT_PIXELS = 70; // pixels

/** @param {State} state */
export function celebrate({ outcome, you }) {
  const winners = outcome?.winners ?? [];
  if (!winners.length) return;
  if (you.seats.length && !you.seats.some((seat) => winners.includes(seat))) return;
  const lit = document.querySelectorAll("#board .mark.end");
  sparkle([...(lit.length ? lit : document.querySelectorAll("#seats .won"))]);
}

/** Let sparks fly from places of the page. @param {Element[]} from */
export function sparkle(from) {
  if (!moving()) return;
  const places = from.slice(0, MOST_PLACES);
  const sparks = places.flatMap((place) => around(place, Math.floor(SPARKS / places.length)));
  const sky = h("div", { class: "sparks", "aria-hidden": "true" }, ...sparks.map(({ spark }) => spark));
  document.body.append(sky);
  const flights = sparks.map(({ spark, frames, delay }) => spark.animate(frames, { duration: FLIGHT_MS - delay, delay, easing: "ease-out", fill: "both" }));
  Promise.allSettled(flights.map((flight) => flight.finished)).then(() => sky.remove());
}

/**
 * Sparks that fly from a place in all directions.
 * @param {Element} place
 * @param {number} count
 */
function around(place, count) {
  const { left, top, width, height } = place.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + Math.random() / 2)) / count;
    const far = FLIGHT_PIXELS * (0.6 + 0.6 * Math.random());
    return {
      spark: h("span", { class: `spark spark-${i % 3}` }, "★"),
      delay: 40 * (i % 5),
      frames: [
        { transform: `translate(${x}px, ${y}px) scale(0.3)`, opacity: 1 },
        { transform: `translate(${x + far * Math.cos(angle)}px, ${y + far * Math.sin(angle)}px) rotate(90deg)`, opacity: 0 },
      ],
    };
  });
}
