// Describes the keyboard's place in words: its name, its content, and whether it may be chosen.
import { block, formsOf, say } from "./words.js";

/** @typedef {import("./types.js").Scene} Scene */
/** The page's block `game-names`. @typedef {Record<"pieces" | "areas" | "atoms" | "cells", Record<string, string>>} Names */

/** @type {Names} */
const { pieces = {}, areas = {}, atoms = {}, cells = {} } = block("game-names");

/** What people call an atom. @param {string} atom */
export function labelOf(atom) {
  return Object.hasOwn(atoms, atom) ? atoms[atom] : formsOf(atom)[0];
}

/**
 * @param {Scene | null} scene
 * @param {string | null} name  what is pointed at
 * @param {string[]} choice  the atoms that pointing there would choose
 * @param {(atom: string) => string} label  what people call an atom
 */
export function described(scene, name, choice, label) {
  if (!scene || name === null) return "";
  const meant = choice.filter((atom) => atom !== name).map(label);
  return [...standing(scene, name), ...meant, choice.length && say("may-choose")].filter(Boolean).join(", ");
}

/**
 * A place, and what stands there.
 * @param {Scene} scene
 * @param {string} name
 * @returns {string[]}
 */
function standing(scene, name) {
  const all = scene.pieces.filter((piece) => !piece.extra);
  if (all.some((piece) => piece.atom === name)) return [formsOf(name)[0]]; // a card is what it is called
  const cell = scene.cells.find((one) => one.id === name);
  if (cell) {
    const here = all.filter((piece) => piece.at === name).map((piece) => pieces[piece.name] ?? piece.name);
    const ground = cells[cell.symbol];
    return [name, ...(ground ? [ground] : []), ...(here.length || ground ? here : [say("empty")])];
  }
  const named = scene.areas.filter((one) => one.atom === name || one.id === name);
  const area = named.find((one) => all.some((piece) => piece.at === one.id && piece.owner === scene.turn)) ?? named[0];
  if (!area) return [name];
  const within = scene.places[name] ?? [];
  const column = all.filter((piece) => within.includes(piece.at)).map((piece) => `${piece.at} ${pieces[piece.name] ?? piece.name}`);
  const held = all.filter((piece) => piece.at === area.id);
  const count = held.length ? [say("holds", { piece: pieces[held[0].name] ?? held[0].name, count: held.length })] : [];
  const there = [...column, ...count];
  return [areas[area.id] ?? area.id, ...(there.length ? there : [say("empty")])];
}
