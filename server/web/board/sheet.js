/** Draws what never changes: seas, lands, borders, names, what is printed on them; and the places to press. */

import { svg } from "../dom.js";
import { facts, layout } from "../facts.js";

const path = (rings) => rings.map((ring) => `M${ring.map((p) => p.join(" ")).join("L")}Z`).join("");
const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const at = ([x, y]) => `translate(${x} ${y})`;

/** The sheet without pieces. `tint` and `hits` give the shapes of the areas by id, to be coloured and to be pressed. */
export function drawSheet() {
  const tint = {};
  const hits = {};
  const lands = Object.entries(layout.areas).filter(([, area]) => area.kind === "land");
  const seas = Object.entries(layout.areas).filter(([, area]) => area.kind === "sea");
  const shape = ([id, { kind, tint: tone, rings }]) => {
    tint[id] = svg("path", { d: path(rings), class: "owner" });
    hits[id] = svg("path", { d: path(rings), class: "hit" });
    return svg("path", { d: path(rings), class: `${kind} tone-${tone}` });
  };
  const ground = lands.map(([, { rings }]) => path(rings)).join("") + layout.barriers.map(({ rings }) => path(rings)).join("");
  const sheet = { width: layout.width, height: layout.height };
  const node = svg("g", { class: "ground", "aria-hidden": "true", "clip-path": "url(#sheet)" },
    svg("clipPath", { id: "sheet" }, svg("rect", sheet)),
    seas.map(shape),
    [30, 18, 8].map((width) => svg("path", { d: ground, class: "shallows", "stroke-width": width })),
    layout.decor.islets.map((ring) => svg("path", { d: path([ring]), class: "islet" })),
    lands.map(shape),
    Object.values(tint),
    layout.barriers.map(barrier),
    layout.decor.marks.map(decoration),
    layout.borders.map(border),
    compass(),
    Object.entries(layout.areas).map(([id, area]) => printed(id, area)),
    Object.entries(layout.ports).map(([id, port]) => {
      hits[id] = svg("path", { d: path([port.water]) + circle(port.x, port.y, 15), class: "hit" });
      tint[id] = svg("path", { d: path([port.water]), class: "owner" });
      return [svg("path", { d: path([port.water]), class: "harbour" }), berth(port)];
    }),
    svg("rect", { ...sheet, class: "frame" }));
  return { node, tint, hits };
}

function barrier({ kind, rings, label, peaks }) {
  return svg("g", { class: `barrier ${kind}` }, svg("path", { d: path(rings) }),
    peaks.map(([x, y, s]) => svg("path", { class: "peak", d: `M${x - s} ${y + s * 0.55}L${x} ${y - s * 0.75} ${x + s} ${y + s * 0.55}Z` })),
    label && text(label, "wall"));
}

function decoration([kind, x, y, s]) {
  const d = {
    pine: `M${x - s * 0.5} ${y + s * 0.6}L${x} ${y - s}L${x + s * 0.5} ${y + s * 0.6}ZM${x} ${y + s * 0.6}V${y + s}`,
    tree: `M${x - s * 0.6} ${y - s * 0.2}A${s * 0.6} ${s * 0.6} 0 1 1 ${x + s * 0.6} ${y - s * 0.2}A${s * 0.6} ${s * 0.6} 0 1 1 ${x - s * 0.6} ${y - s * 0.2}M${x} ${y + s * 0.4}V${y + s * 0.9}`,
    hill: `M${x - s} ${y + s * 0.4}Q${x} ${y - s} ${x + s} ${y + s * 0.4}`,
    dune: `M${x - s} ${y}Q${x - s / 2} ${y - 4} ${x} ${y}T${x + s} ${y}`,
    reed: `M${x - 3} ${y + s / 2}L${x - 4} ${y - s / 2}M${x} ${y + s / 2}V${y - s * 0.7}M${x + 3} ${y + s / 2}L${x + 4} ${y - s / 2}`,
  }[kind];
  return svg("path", { d, class: `decor ${kind}` });
}

function border({ kind, sides, ring, from, count }) {
  const of = layout.areas[sides[0]] ?? layout.barriers.find((each) => each.id === sides[0]);
  const points = of.rings[ring];
  const course = Array.from({ length: count }, (_, k) => points[(from + k) % points.length].join(" "));
  return svg("path", { d: `M${course.join("L")}`, class: `border ${kind}-border` });
}

function compass() {
  const { x, y, r } = layout.decor.compass;
  const point = (angle, length) => `${x + length * Math.sin(angle)} ${y - length * Math.cos(angle)}`;
  return svg("g", { class: "compass" }, Array.from({ length: 8 }, (_, k) => {
    const angle = (k * Math.PI) / 4;
    const long = k % 2 ? r * 0.6 : r;
    return [-0.26, 0.26].map((side) => svg("path", {
      class: side < 0 ? "light" : "dark",
      d: `M${x} ${y}L${point(angle + side, long * 0.3)}L${point(angle, long)}Z`,
    }));
  }));
}

function printed(id, area) {
  const { structure, kind } = facts.areas[id];
  return svg("g", {},
    text(area.label, kind),
    area.structure && svg("path", {
      transform: at(area.structure), class: "structure",
      d: structure === "stronghold"
        ? "M-13 11V-9H-8V-4H-3V-13H3V-4H8V-9H13V11H3V5H-3V11Z"
        : "M-9 11V-8H-5V-4H-2V-8H2V-4H5V-8H9V11H2.5V5H-2.5V11Z",
    }),
    area.barrels.map((spot) => svg("path", { transform: at(spot), class: "barrel", d: "M-5-7H5Q8 0 5 7H-5Q-8 0-5-7ZM-6.2-2.5H6.2M-6.2 2.5H6.2" })),
    area.crowns.map((spot) => svg("path", { transform: at(spot), class: "crown", d: "M-7 6-8-5-3.5 0 0-7 3.5 0 8-5 7 6Z" })));
}

function text({ x, y, lines, size }, kind) {
  return svg("text", { class: `name ${kind}-name`, "font-size": size },
    lines.map((row, k) => svg("tspan", { x, y: y + (k - (lines.length - 1) / 2) * size * 1.12 + size * 0.34 }, row)));
}

function berth({ x, y }) {
  return svg("g", { class: "berth", transform: at([x, y]) }, svg("circle", { r: 12 }),
    svg("path", { d: "M0-7V7M-3.5-4H3.5M-6 2Q-5 7 0 7T6 2" }));
}
