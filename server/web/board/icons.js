/** The drawings of pieces: each house has its mark, each unit and order its shape. All fit into a circle of radius 13. */

import { svg } from "../dom.js";
import { beside, circle, HERE, path } from "./place.js";

const MARKS = {
  stark: "M0-7V7M-6-3.5 6 3.5M6-3.5-6 3.5M-2-5.5 0-4 2-5.5M-2 5.5 0 4 2 5.5",
  greyjoy: "M0-7V7M-5.5-6C-5.5 1-3 3 0 3C3 3 5.5 1 5.5-6M-3 7H3",
  lannister: "M-6 4V-5L-2.5-1 0-6 2.5-1 6-5V4ZM-6 7H6",
  baratheon: "M0 7V1C-2-1-5-1-6-6M0 1C2-1 5-1 6-6M-4.5-1.5-7-1.5M4.5-1.5 7-1.5M-2.5 0-2.5-5M2.5 0 2.5-5",
  tyrell: "M0-2.5A2.3 2.3 0 1 1 0-7M0-7A2.3 2.3 0 1 1 0-2.5M0 0-4.5-2M0 0 4.5-2M0 0-3 5M0 0 3 5M0 0V-3",
  martell: "M-3 0A3 3 0 1 0 3 0A3 3 0 1 0-3 0M0-4.5V-7.5M0 4.5V7.5M-4.5 0H-7.5M4.5 0H7.5M-3.2-3.2-5.3-5.3M3.2 3.2 5.3 5.3M-3.2 3.2-5.3 5.3M3.2-3.2 5.3-5.3",
};
const UNITS = {
  footman: "M-9-11H9V1C9 7 4 11 0 13C-4 11-9 7-9 1Z",
  knight: "M-9 12C-9 5-2 3-2-2L-8 2-12-2-5-9-4-13 0-10C8-9 11-2 10 12Z",
  siege_engine: "M-10 9V-11H-5V-7H-2.5V-11H2.5V-7H5V-11H10V9ZM-7 12A3 3 0 1 0-7 6 3 3 0 1 0-7 12ZM7 12A3 3 0 1 0 7 6 3 3 0 1 0 7 12Z",
  ship: "M-8-12Q0-9 8-12L9 3Q0 6-9 3ZM-12 5H12L8 12H-8Z",
};
const ORDERS = {
  march: "M-8 2H3V6L10 0 3-6V-2H-8Z",
  defense: "M-7-8H7V0C7 5 3 8 0 9.5C-3 8-7 5-7 0Z",
  support: "M-2.5-8H2.5V-2.5H8V2.5H2.5V8H-2.5V2.5H-8V-2.5H-2.5Z",
  raid: "M0-10C1-5 7-3 7 3A7 7 0 0 1-7 3C-7 0-5-2-4-4C-3-2-2-1-1-1C-2-4-1-8 0-10Z",
  consolidate_power: "M-8 6-9-5-4-1 0-8 4-1 9-5 8 6Z",
};
const MARK_WIDTH = 1.7;
const STAR = "M0-5 1.5-1.6 5-1.5 2.3.7 3.1 4.2 0 2.2-3.1 4.2-2.3.7-5-1.5-1.5-1.6Z";

/** A little picture that stands in a line of text. */
function inline(view, label, ...children) {
  const props = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return svg("svg", { viewBox: view, class: "icon", ...props }, ...children);
}

/** The mark of a house, for a line of text. */
export function mark(house) {
  return inline("-10 -10 20 20", "", svg("circle", { r: 9.5, class: "field" }), markShape(house));
}

/** The mark of a house, to be put into a drawing. */
export function markShape(house, place = HERE) {
  return svg("path", { d: path(MARKS[house] ?? "M0 0", place), class: "mark", "stroke-width": MARK_WIDTH * place.size });
}

/** A unit in the colour and with the mark of its house, to be put into a drawing. */
export function unitShape(unit, house, place = HERE) {
  const y = { footman: -0.5, knight: 4, siege_engine: 0, ship: -4 }[unit];
  return svg("g", { class: `unit h-${house}` },
    svg("path", { d: path(UNITS[unit], place), class: "body" }), markShape(house, beside(place, 0, y, unit === "knight" ? 0.62 : 0.8)));
}

/** A unit for a line of text. */
export function unitIcon(unit, house, label) {
  return inline("-14 -14 28 28", label, unitShape(unit, house));
}

/** The face of an order, to be put into a drawing of radius 20. */
export function orderShape(order, place = HERE) {
  const { kind, modifier, starred } = order;
  const text = kind === "march" || modifier ? (modifier < 0 ? `\u2212${-modifier}` : `+${modifier}`) : "";
  return svg("g", { class: `order o-${kind}` },
    svg("circle", { ...circle(place, 19), class: "face" }),
    svg("path", { d: path(ORDERS[kind], text ? beside(place, 0, -5, 0.85) : beside(place, 0, 0, 1.15)), class: "sign" }),
    text && svg("text", { x: place.x, y: place.y + 14 * place.size, class: "modifier" }, text),
    starred && svg("path", { d: path(STAR, beside(place, 13, -12, 1.25)), class: "star" }));
}

/** So many swords or fortifications, or the signs of the switches, for a line of text. */
export function sign(kind, n = 1) {
  const d = {
    sword: "M-7 7-4 4M-6.5.5-.5 6.5M-3.5 3.5 7-8 8-8 8-7-2.5 4.5Z",
    fort: "M-8 8V-8H-4.5V-5H-1.800V-8H1.800V-5H4.5V-8H8V8Z",
    horn: "M-8-3H-4L1-7V7L-4 3H-8ZM4-3Q6 0 4 3M6.5-6Q10 0 6.5 6",
    bell: "M-8 5C-5 3-6-7 0-7S5 3 8 5ZM-2 8H2",
  }[kind];
  return Array.from({ length: n }, () => inline("-10 -10 20 20", "", svg("path", { d, class: `sign-${kind}` })));
}

/** An order for a line of text. */
export function orderIcon(order, label) {
  return inline("-21 -21 42 42", label, orderShape(order));
}
