/** A march: choose the units, then where they go; several groups may go to different places. */

import { button, el, refill } from "../dom.js";
import { facts, name, unitsInWords } from "../facts.js";
import { signed } from "../words.js";
import { areaText, choices, counted, remover, supplyLine, total, unitCounters, without } from "./parts.js";

export function march(ask) {
  const { prompt, house } = ask;
  const { marches, supply } = prompt;
  let option = null;
  let moves = [];
  let sent = {};
  let leavePower = false;
  const work = el("div", { class: "march" });
  const picker = marches.length > 1 && choices(marches.map(({ from, order, units }) =>
    ({ id: from, content: areaText(from, name(order), unitsInWords(units)) })), "Which order", begin);

  const left = () => without(option.units ?? {}, ...moves.map((move) => move.units));
  const target = (to) => (option.targets ?? []).find((each) => each.to === to);

  function begin(from) {
    option = marches.find((each) => each.from === from);
    [moves, leavePower] = [[], false];
    draw();
  }

  function send(to) {
    if (!option || !target(to) || !total(sent)) return;
    const before = moves.find((move) => move.to === to);
    const units = before ? without(sent, Object.fromEntries(Object.entries(before.units).map(([unit, n]) => [unit, -n]))) : sent;
    moves = [...moves.filter((move) => move !== before), { to, units: counted(units) }];
    draw();
  }

  function draw() {
    sent = left();
    const all = total(left()) === 0;
    if (!all) leavePower = false;
    const goals = el("ul", { class: "targets" });
    const show = () => refill(goals, (option.targets ?? []).map((each) => goal(each, sent, option.order, () => send(each.to))));
    show();
    const changes = { [option.from]: 0 };
    for (const { to, units } of moves) {
      changes[to] = total(units);
      changes[option.from] -= total(units);
    }
    refill(work,
      el("h3", {}, `${name(option.order)} in ${name(option.from)}`),
      moves.length > 0 && el("ul", { class: "groups" }, moves.map((move, n) => ask.place(`answer.moves[${n}]`, el("li", { class: "group" },
        el("span", {}, `${unitsInWords(move.units)} to `, el("strong", {}, name(move.to)), ` ${strengthText(target(move.to), move.units, option.order)}`),
        remover(`Call the group to ${name(move.to)} back`, () => { moves = moves.toSpliced(n, 1); draw(); }))))),
      !all && (option.targets ?? []).length > 0 && [el("h4", {}, "Who goes"), unitCounters(left(), sent, house, show), el("h4", {}, "Where to"), goals],
      !(option.targets ?? []).length && el("p", { class: "hint" }, "Nobody there can march anywhere."),
      moves.length > 0 && supplyLine(supply, changes),
      all && option.leave_power && el("label", { class: "box" },
        el("input", { type: "checkbox", name: "leave_power", checked: leavePower, onchange: (event) => { leavePower = event.target.checked; } }),
        el("span", {}, `Leave a power token in ${name(option.from)}`)));
    ask.changed();
  }

  ask.place("answer.from", work);
  ask.place("answer.moves", work);
  ask.place("answer.leave_power", work);
  const body = el("div", {}, picker && picker.node, work);
  if (!picker) begin(marches[0].from);
  return {
    body,
    verb: "March",
    look: [...new Set(marches.flatMap(({ from, targets = [] }) => [from, ...targets.map(({ to }) => to)]))],
    answer: () => ({ type: "march", from: option.from, moves, ...(leavePower && { leave_power: true }) }),
    missing: () => (!option ? "Choose the order first." : moves.length ? "" : "Send somebody somewhere, or discard the order."),
    marks: () => {
      if (!option) return Object.fromEntries(marches.map(({ from }) => [from, "offered"]));
      const offered = (option.targets ?? []).map(({ to, attack }) => [to, attack ? "offered attack" : "offered"]);
      return { ...Object.fromEntries([...offered, ...moves.map(({ to }) => [to, "chosen"])]), [option.from]: "source" };
    },
    pick: (area) => {
      if (option && target(area)) send(area);
      else if (marches.some(({ from }) => from === area)) picker && picker.pick(area);
    },
    dragged: () => option && { from: option.from, to: send },
    discard: () => option && button(`Discard the order in ${name(option.from)}`, () => ask.submit({ type: "march", from: option.from, moves: [] }), { class: "other" }),
  };
}

function goal(each, sent, order, press) {
  const { to, attack, defender, room } = each;
  const kind = attack === "neutral" ? "neutral force" : attack ? `attack on ${name(defender)}` : "move";
  const weak = attack === "neutral" && most(each, sent) < each.needed;
  return el("li", {}, el("button", { type: "button", class: `goal ${attack ? "attack" : ""} ${weak ? "weak" : ""}`, "data-target": to,
    disabled: !total(sent), onclick: press },
  el("strong", {}, name(to)), el("small", {}, [kind, room !== undefined && `room for ${room}`, strengthText(each, sent, order)].filter(Boolean).join(", "))));
}

const brought = ({ strength = {} }, units) => Object.entries(units).reduce((sum, [unit, n]) => sum + n * (strength[unit] ?? 0), 0);
const offered = ({ offers = {} }) => total(offers);
const most = (each, units) => brought(each, units) + (each.bonus ?? 0) + offered(each);

/** The strength of units in an attack, and what it must reach. */
function strengthText(each, units, order) {
  if (!each.attack) return "";
  const own = brought(each, units) + (each.bonus ?? 0);
  const { modifier } = facts.orders[order];
  if (each.attack !== "neutral") return `units count ${own}${modifier ? `, order ${signed(modifier)}` : ""}`;
  const others = Object.entries(each.offers ?? {}).map(([house, n]) => `${name(house)} ${n}`).join(", ");
  const bonus = each.bonus ? ` (units ${brought(each, units)}, order and support ${signed(each.bonus)})` : "";
  return `${own}${bonus} against ${each.needed}${others ? `, others could add ${others}` : ""}${most(each, units) < each.needed ? ": too weak" : ""}`;
}
