/** Draws what lies on the board: units, orders, power, garrisons and neutral forces, area by area. */

import { svg } from "../dom.js";
import { facts, layout } from "../facts.js";
import { markShape, orderShape, unitShape } from "./icons.js";

const at = ([x, y], more = "") => `translate(${x} ${y})${more}`;

/** Where the pieces of an area go; a port has places for ships and an order only. */
export function spots(area) {
  return layout.areas[area] ?? layout.ports[area];
}

/** The middle of what happens in an area: where arrows begin and end. */
export function centre(area) {
  const { units } = spots(area);
  return [0, 1].map((axis) => units.reduce((sum, spot) => sum + spot[axis], 0) / units.length);
}

/** The pieces of one area. `order` is what the viewer sees there, `own` whether only the viewer sees it. */
export function drawArea(area, part, order, own) {
  const place = spots(area);
  return [
    units(place, part, area in layout.ports ? 0.85 : 1),
    part.power && token(place.power, part.power),
    part.garrison && garrison(place.garrison, part.garrison, part.owner),
    part.neutral && neutral(place.garrison, part.neutral),
    order && orderToken(place.order, order, part.owner, own, area in layout.ports ? 0.85 : 1),
  ];
}

function units(place, { units: standing, routed, owner }, size) {
  const each = (kinds, down) => Object.entries(kinds ?? {}).flatMap(([unit, n]) => Array.from({ length: n }, () => ({ unit, down, n: 1 })));
  let all = [...each(standing, false), ...each(routed, true)];
  if (all.length > place.units.length) all = stacked(standing, false).concat(stacked(routed, true));
  return all.slice(0, place.units.length).map(({ unit, down, n }, k) => {
    const shape = unitShape(unit, owner);
    shape.setAttribute("transform", at(place.units[k], `${down ? " rotate(90)" : ""} scale(${size})`));
    if (down) shape.classList.add("routed");
    return [shape, n > 1 && svg("text", { transform: at(place.units[k]), x: 9, y: 13, class: "many" }, `\u00d7${n}`)];
  });
}

function stacked(kinds, down) {
  return Object.entries(kinds ?? {}).map(([unit, n]) => ({ unit, down, n }));
}

function token(spot, house) {
  return svg("g", { class: `power h-${house}`, transform: at(spot) },
    svg("circle", { r: 11 }), svg("circle", { r: 8.5, class: "rim" }), markShape(house, 0.8));
}

function garrison(spot, strength, house) {
  return svg("g", { class: `garrison h-${house}`, transform: at(spot) },
    svg("path", { d: "M-11-12H11V4L0 14-11 4Z" }), svg("text", { y: 5 }, strength));
}

function neutral(spot, strength) {
  return svg("g", { class: "neutral", transform: at(spot) },
    svg("path", { d: "M0-15 13-7.5V7.5L0 15-13 7.5V-7.5Z" }), svg("text", { y: 6 }, strength === "~" ? "\u2715" : strength));
}

function orderToken(spot, order, house, own, size) {
  if (order === "hidden") {
    return svg("g", { class: `order back h-${house}`, transform: at(spot, ` scale(${size})`) },
      svg("circle", { r: 19 }), svg("circle", { r: 15, class: "rim" }), markShape(house, 1.2));
  }
  const shape = orderShape(facts.orders[order]);
  shape.setAttribute("transform", at(spot, ` scale(${size})`));
  shape.classList.add(`h-${house}`);
  if (own) shape.classList.add("own");
  return shape;
}
