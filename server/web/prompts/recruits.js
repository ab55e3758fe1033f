/** Recruits for the points of structures, one after the other; shared by mustering and starred consolidate orders. */

import { button, el, refill } from "../dom.js";
import { name, unitName } from "../facts.js";
import { unitIcon } from "../board/icons.js";
import { remover, supplyLine } from "./parts.js";

/** A list to fill; `terms` are pieces, costs, upgrades and supply of the prompt. `list()` gives the recruits. */
export function recruits(ask, sites, terms, path) {
  let chosen = [];
  const node = el("div", { class: "recruits" });

  const cost = ({ unit, upgrade }) => (upgrade ? terms.upgrades : terms.costs)[unit];
  const of = (at) => chosen.filter((recruit) => recruit.at === at);
  const pointsLeft = ({ at, points }) => points - of(at).reduce((sum, recruit) => sum + cost(recruit), 0);
  const piecesLeft = (unit) => (terms.pieces[unit] ?? 0) - chosen.filter((each) => each.unit === unit).length
    + (unit === "footman" ? chosen.filter((each) => each.upgrade).length : 0);

  function add(recruit) {
    chosen = [...chosen, recruit];
    draw();
  }

  function offers(site) {
    const { at, footmen = 0, ships = {} } = site;
    const fits = (recruit) => cost(recruit) <= pointsLeft(site) && piecesLeft(recruit.unit) > 0;
    const plain = Object.keys(terms.costs).filter((unit) => unit !== "ship").map((unit) => ({ recruit: { at, unit }, text: unitName(unit) }));
    const afloat = Object.entries(ships).filter(([to, room]) => of(at).filter((each) => each.to === to).length < room)
      .map(([to]) => ({ recruit: { at, unit: "ship", to }, text: `ship in ${name(to)}` }));
    const upgrades = of(at).filter((each) => each.upgrade).length < footmen
      ? Object.keys(terms.upgrades).map((unit) => ({ recruit: { at, unit, upgrade: true }, text: `a footman becomes a ${unitName(unit)}` })) : [];
    return [...plain, ...afloat, ...upgrades].filter(({ recruit }) => fits(recruit));
  }

  function draw() {
    const more = {};
    for (const { at, to, upgrade } of chosen) if (!upgrade) more[to ?? at] = (more[to ?? at] ?? 0) + 1;
    refill(node, sites.map((site) => el("section", { class: "site", "data-site": site.at },
      el("h3", {}, `${name(site.at)}: ${pointsLeft(site)} of ${site.points} points left`),
      chosen.map((recruit, n) => recruit.at === site.at && ask.place(`${path}[${n}]`, el("p", { class: "group" },
        unitIcon(recruit.unit, ask.house),
        el("span", {}, recruit.upgrade ? `a footman becomes a ${unitName(recruit.unit)}` : `${unitName(recruit.unit)}${recruit.to ? ` in ${name(recruit.to)}` : ""}`),
        remover("Take this one back", () => { chosen = chosen.toSpliced(n, 1); draw(); })))),
      el("div", { class: "offers" }, offers(site).map(({ recruit, text }) =>
        button([unitIcon(recruit.unit, ask.house), `${text} (${cost(recruit)})`], () => add(recruit), { "data-recruit": recruit.unit }))))),
    terms.supply && chosen.length > 0 && supplyLine(terms.supply, more));
    ask.changed();
  }

  ask.place(path, node);
  return { node, draw, list: () => chosen, clear: () => { chosen = []; draw(); } };
}
