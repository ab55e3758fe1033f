/**
 * Draws what never changes: seas, lands, borders, names, what is printed on them; and the places to press. What looks alike is one
 * path for all of it: at every change on the board the browser goes through each of its elements.
 */

import { svg } from "../dom.js";
import { facts, layout } from "../facts.js";
import { circle, path } from "./place.js";

const STRUCTURES = {
  stronghold: "M-13 11V-9H-8V-4H-3V-13H3V-4H8V-9H13V11H3V5H-3V11Z",
  castle: "M-9 11V-8H-5V-4H-2V-8H2V-4H5V-8H9V11H2.5V5H-2.5V11Z",
};
const BARREL = "M-5-7H5Q8 0 5 7H-5Q-8 0-5-7ZM-6.2-2.5H6.2M-6.2 2.5H6.2";
const CROWN = "M-7 6-8-5-3.5 0 0-7 3.5 0 8-5 7 6Z";

const outline = (rings) => rings.map((ring) => `M${ring.map((p) => p.join(" ")).join("L")}Z`).join("");
const ring = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
const at = ([x, y]) => ({ x, y, size: 1 });

/** The sheet without pieces. `tint` and `hits` give the shapes of the areas by id, to be coloured and to be pressed. */
export function drawSheet() {
  const tint = {};
  const hits = {};
  const lands = Object.entries(layout.areas).filter(([, area]) => area.kind === "land");
  const seas = Object.entries(layout.areas).filter(([, area]) => area.kind === "sea");
  const shape = ([id, { kind, tint: tone, rings }]) => {
    tint[id] = svg("path", { d: outline(rings), class: "owner" });
    hits[id] = svg("path", { d: outline(rings), class: "hit" });
    return svg("path", { d: outline(rings), class: `${kind} tone-${tone}` });
  };
  const ground = lands.map(([, { rings }]) => outline(rings)).join("") + layout.barriers.map(({ rings }) => outline(rings)).join("");
  const sheet = { width: layout.width, height: layout.height };
  const node = svg("g", { class: "ground", "aria-hidden": "true", "clip-path": "url(#sheet)" },
    svg("clipPath", { id: "sheet" }, svg("rect", sheet)),
    seas.map(shape),
    [30, 18, 8].map((width) => svg("path", { d: ground, class: "shallows", "stroke-width": width })),
    layout.decor.islets.map((ring) => svg("path", { d: outline([ring]), class: "islet" })),
    lands.map(shape),
    Object.values(tint),
    layout.barriers.map(barrier),
    alike(layout.decor.marks, ([kind]) => `decor ${kind}`, decoration),
    alike(layout.borders, ({ kind }) => `border ${kind}-border`, border),
    compass(),
    printed(),
    Object.entries(layout.areas).map(([id, { label }]) => text(label, facts.areas[id].kind)),
    Object.entries(layout.ports).map(([id, port]) => {
      hits[id] = svg("path", { d: outline([port.water]) + ring(port.x, port.y, 15), class: "hit" });
      tint[id] = svg("path", { d: outline([port.water]), class: "owner" });
      return [svg("path", { d: outline([port.water]), class: "harbour" }), berth(port)];
    }),
    svg("rect", { ...sheet, class: "frame" }));
  return { node, tint, hits };
}

/** One path for each class of things. */
function alike(things, kind, drawn) {
  const paths = {};
  for (const thing of things) paths[kind(thing)] = (paths[kind(thing)] ?? "") + drawn(thing);
  return Object.entries(paths).map(([name, d]) => svg("path", { class: name, d }));
}

function barrier({ kind, rings, label, peaks }) {
  const peak = ([x, y, s]) => `M${x - s} ${y + s * 0.55}L${x} ${y - s * 0.75} ${x + s} ${y + s * 0.55}Z`;
  return svg("g", { class: `barrier ${kind}` }, svg("path", { d: outline(rings) }), alike(peaks, () => "peak", peak), label && text(label, "wall"));
}

function decoration([kind, x, y, s]) {
  return {
    pine: `M${x - s * 0.5} ${y + s * 0.6}L${x} ${y - s}L${x + s * 0.5} ${y + s * 0.6}ZM${x} ${y + s * 0.6}V${y + s}`,
    tree: `M${x - s * 0.6} ${y - s * 0.2}A${s * 0.6} ${s * 0.6} 0 1 1 ${x + s * 0.6} ${y - s * 0.2}A${s * 0.6} ${s * 0.6} 0 1 1 ${x - s * 0.6} ${y - s * 0.2}M${x} ${y + s * 0.4}V${y + s * 0.9}`,
    hill: `M${x - s} ${y + s * 0.4}Q${x} ${y - s} ${x + s} ${y + s * 0.4}`,
    dune: `M${x - s} ${y}Q${x - s / 2} ${y - 4} ${x} ${y}T${x + s} ${y}`,
    reed: `M${x - 3} ${y + s / 2}L${x - 4} ${y - s / 2}M${x} ${y + s / 2}V${y - s * 0.7}M${x + 3} ${y + s / 2}L${x + 4} ${y - s / 2}`,
  }[kind];
}

function border({ sides, ring, from, count }) {
  const of = layout.areas[sides[0]] ?? layout.barriers.find((each) => each.id === sides[0]);
  const points = of.rings[ring];
  return `M${Array.from({ length: count }, (_, k) => points[(from + k) % points.length].join(" ")).join("L")}`;
}

function compass() {
  const { x, y, r } = layout.decor.compass;
  const point = (angle, length) => `${x + length * Math.sin(angle)} ${y - length * Math.cos(angle)}`;
  const blades = Array.from({ length: 8 }, (_, k) => {
    const angle = (k * Math.PI) / 4;
    const long = k % 2 ? r * 0.6 : r;
    return [["light", -0.26], ["dark", 0.26]].map(([kind, side]) => [kind, `M${x} ${y}L${point(angle + side, long * 0.3)}L${point(angle, long)}Z`]);
  });
  return svg("g", { class: "compass" }, alike(blades.flat(), ([kind]) => kind, ([, d]) => d));
}

/** Castles and strongholds, barrels and crowns. */
function printed() {
  const areas = Object.entries(layout.areas);
  const structures = areas.filter(([, { structure }]) => structure);
  return [
    alike(structures, () => "structure", ([id, { structure }]) => path(STRUCTURES[facts.areas[id].structure], at(structure))),
    alike(areas.flatMap(([, { barrels }]) => barrels), () => "barrel", (spot) => path(BARREL, at(spot))),
    alike(areas.flatMap(([, { crowns }]) => crowns), () => "crown", (spot) => path(CROWN, at(spot))),
  ];
}

function text({ x, y, lines, size }, kind) {
  return svg("text", { class: `name ${kind}-name`, "font-size": size },
    lines.map((row, k) => svg("tspan", { x, y: y + (k - (lines.length - 1) / 2) * size * 1.12 + size * 0.34 }, row)));
}

function berth({ x, y }) {
  const place = at([x, y]);
  return svg("g", { class: "berth" }, svg("circle", circle(place, 12)),
    svg("path", { d: path("M0-7V7M-3.5-4H3.5M-6 2Q-5 7 0 7T6 2", place) }));
}
