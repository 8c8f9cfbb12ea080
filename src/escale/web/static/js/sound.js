// Small tones, made on the spot. Browsers allow sounds after the first touch of a page.
import { setting } from "./memory.js";

/** @type {AudioContext | null} */
let context = null;

/** Pitch in hertz, start and length in seconds, loudness. @type {Record<string, [number, number, number, number][]>} */
const TUNES = {
  own: [[330, 0, 0.07, 0.12]],
  other: [[440, 0, 0.08, 0.14], [554, 0.06, 0.09, 0.1]],
  refused: [[170, 0, 0.16, 0.1]],
  end: [[392, 0, 0.16, 0.12], [494, 0.14, 0.16, 0.12], [587, 0.28, 0.34, 0.12]],
  word: [[660, 0, 0.05, 0.06]],
};

/** @param {"own" | "other" | "refused" | "end" | "word"} tune */
export function sound(tune) {
  if (!setting("sound") || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime + 0.01;
  for (const [pitch, start, length, loudness] of TUNES[tune]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(loudness, now + start);
    volume.gain.exponentialRampToValueAtTime(0.001, now + start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(now + start);
    tone.stop(now + start + length);
  }
}
