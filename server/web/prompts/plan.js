/** What shall happen with an order when its turn comes, without asking again. The server judges it then. */

import { button, el, refill } from "../dom.js";
import { facts, name, unitName, unitsInWords } from "../facts.js";
import { counted, remover, total, unitCounters, without } from "./parts.js";

/** A form for the plan of an order; `change` hears the plan, or null if there is none. */
export function planForm({ area, order, units, house, houses, plan }, change) {
  const { kind, starred } = facts.orders[order];
  const wanted = { ...plan };
  const told = (fields) => {
    Object.assign(wanted, fields);
    const said = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== false && value !== "");
    change(said.length ? Object.fromEntries(said) : null);
  };
  const build = { march: marchPlan, raid: raidPlan, support: supportPlan, consolidate_power: starred ? musterPlan : null }[kind];
  return el("div", { class: "plan" },
    el("p", { class: "hint" }, "When its turn comes the server does this by itself, if it is legal then; else you are asked."),
    build?.({ area, units, house, houses, wanted }, told),
    el("label", {}, `Which ${kind.replace("_", " ")} first `,
      select([["", "as it comes"], ...[1, 2, 3, 4].map((n) => [n, n])], wanted.rank, (value) => told({ rank: value ? Number(value) : undefined }))));
}

function marchPlan({ area, units, house, wanted }, told) {
  let moves = [...(wanted.moves ?? [])];
  let sent = {};
  let to = "";
  const box = el("div", {});
  function draw() {
    const left = without(units, ...moves.map((move) => move.units));
    sent = { ...left };
    refill(box,
      moves.map((move, n) => el("p", { class: "group" }, `${unitsInWords(move.units)} to ${name(move.to)} `,
        remover("Take this group back", () => { moves = moves.toSpliced(n, 1); tell(); }))),
      total(left) > 0 && [unitCounters(left, sent, house, () => {}),
        el("div", { class: "line" }, targets(area, to, (value) => { to = value; }),
          button("Plan this march", () => {
            if (!to || !total(sent)) return;
            moves = [...moves.filter((move) => move.to !== to), { to, units: counted(sent) }];
            tell();
          }))],
      el("label", { class: "box" }, el("input", { type: "checkbox", checked: wanted.leave_power, onchange: (event) => told({ leave_power: event.target.checked }) }),
        el("span", {}, "leave a power token if all leave")));
  }
  function tell() {
    told({ moves: moves.length ? moves : undefined });
    draw();
  }
  draw();
  return box;
}

function raidPlan({ area, wanted }, told) {
  return el("label", {}, "Raid ", select([["", "ask me"], ...facts.areas[area].near.map((id) => [id, name(id)])], wanted.target, (value) => told({ target: value || undefined })));
}

function supportPlan({ house, houses, wanted }, told) {
  let help = [...(wanted.help ?? [])];
  const order = el("p", { class: "hint" });
  const say = () => refill(order, help.length ? `First of these that fights: ${help.map(name).join(", ")}.` : "Nobody named: you are asked, or nobody is helped.");
  say();
  return el("div", {},
    el("fieldset", { class: "line" }, el("legend", {}, "Support"), houses.filter((each) => each !== house).map((each) =>
      el("label", { class: "box" }, el("input", { type: "checkbox", checked: help.includes(each), onchange: (event) => {
        help = event.target.checked ? [...help, each] : help.filter((other) => other !== each);
        told({ help: help.length ? help : undefined });
        say();
      } }), el("span", {}, name(each))))),
    order,
    el("label", {}, "In all other combats ", select([["", "ask me"], ["none", "support nobody"]], wanted.others, (value) => told({ others: value || undefined }))));
}

function musterPlan({ area, wanted }, told) {
  let recruits = [...(wanted.muster ?? [])];
  const box = el("div", {});
  const places = [area, ...facts.areas[area].near.filter((id) => facts.areas[id].kind !== "land")];
  let [unit, to, upgrade] = ["footman", area, false];
  function tell() {
    told({ muster: recruits.length ? recruits : undefined });
    draw();
  }
  function draw() {
    refill(box,
      recruits.map((recruit, n) => el("p", { class: "group" }, `${recruit.upgrade ? "a footman becomes a " : ""}${unitName(recruit.unit)}${recruit.to ? ` in ${name(recruit.to)}` : ""} `,
        remover("Take this one back", () => { recruits = recruits.toSpliced(n, 1); tell(); }))),
      el("div", { class: "line" },
        select(Object.keys(facts.plurals).map((each) => [each, unitName(each)]), unit, (value) => { unit = value; }),
        select(places.map((id) => [id, name(id)]), to, (value) => { to = value; }),
        el("label", { class: "box" }, el("input", { type: "checkbox", checked: upgrade, onchange: (event) => { upgrade = event.target.checked; } }), el("span", {}, "from a footman")),
        button("Plan this recruit", () => {
          recruits = [...recruits, { at: area, unit, ...(to !== area && { to }), ...(upgrade && { upgrade }) }];
          tell();
        })));
  }
  draw();
  return box;
}

/** All areas, the near ones first: where a march may go is the server's to judge. */
function targets(area, chosen, change) {
  const { near } = facts.areas[area];
  const far = Object.keys(facts.areas).filter((id) => id !== area && !near.includes(id));
  const group = (label, ids) => el("optgroup", { label }, ids.map((id) => el("option", { value: id, selected: id === chosen }, name(id))));
  return el("select", { "aria-label": "Where to", onchange: (event) => change(event.target.value) },
    el("option", { value: "" }, "where to\u2026"), group("Next to it", near), group("Farther, by ships", far));
}

function select(options, chosen, change) {
  return el("select", { onchange: (event) => change(event.target.value) },
    options.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen ?? "") }, text)));
}
