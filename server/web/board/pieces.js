/** Draws what lies on the board: units, orders, power, garrisons and neutral forces, area by area. */

import { svg } from "../dom.js";
import { facts, layout } from "../facts.js";
import { markShape, orderShape, unitShape } from "./icons.js";
import { beside, circle, path } from "./place.js";

const at = ([x, y], size = 1) => ({ x, y, size });

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

function units(spot, { units: standing, routed, owner }, size) {
  const each = (kinds, down) => Object.entries(kinds ?? {}).flatMap(([unit, n]) => Array.from({ length: n }, () => ({ unit, down, n: 1 })));
  let all = [...each(standing, false), ...each(routed, true)];
  if (all.length > spot.units.length) all = stacked(standing, false).concat(stacked(routed, true));
  return all.slice(0, spot.units.length).map(({ unit, down, n }, k) => {
    const place = at(spot.units[k], size);
    const shape = unitShape(unit, owner, place);
    if (down) {
      shape.classList.add("routed");
      shape.setAttribute("transform", `rotate(90 ${place.x} ${place.y})`);
    }
    return [shape, n > 1 && svg("text", { x: place.x + 9, y: place.y + 13, class: "many" }, `\u00d7${n}`)];
  });
}

function stacked(kinds, down) {
  return Object.entries(kinds ?? {}).map(([unit, n]) => ({ unit, down, n }));
}

function token(spot, house) {
  const place = at(spot);
  return svg("g", { class: `power h-${house}` },
    svg("circle", { ...circle(place, 11), class: "body" }), svg("circle", { ...circle(place, 8.5), class: "rim" }), markShape(house, beside(place, 0, 0, 0.8)));
}

function garrison([x, y], strength, house) {
  return svg("g", { class: `garrison h-${house}` },
    svg("path", { d: path("M-11-12H11V4L0 14-11 4Z", at([x, y])) }), svg("text", { x, y: y + 5 }, strength));
}

function neutral([x, y], strength) {
  return svg("g", { class: "neutral" },
    svg("path", { d: path("M0-15 13-7.5V7.5L0 15-13 7.5V-7.5Z", at([x, y])) }), svg("text", { x, y: y + 6 }, strength === "~" ? "\u2715" : strength));
}

function orderToken(spot, order, house, own, size) {
  const place = at(spot, size);
  if (order === "hidden") {
    return svg("g", { class: `order back h-${house}` },
      svg("circle", { ...circle(place, 19), class: "body" }), svg("circle", { ...circle(place, 15), class: "rim" }), markShape(house, beside(place, 0, 0, 1.2)));
  }
  const shape = orderShape(facts.orders[order], place);
  shape.classList.add(`h-${house}`);
  if (own) shape.classList.add("own");
  return shape;
}
