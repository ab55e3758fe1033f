/** What several forms are made of: choices, counters, units to send, and what supply allows. */

import { button, el, refill } from "../dom.js";
import { name, unitName } from "../facts.js";
import { unitIcon } from "../board/icons.js";

let groups = 0;

/** One of several things: items are {id, content}; `change(id)` hears the choice. `pick(id)` chooses from elsewhere. */
export function choices(items, label, change, picked) {
  const group = `choice-${groups++}`;
  const inputs = {};
  const node = el("fieldset", { class: "choices" }, el("legend", { class: "sr" }, label), items.map(({ id, content, kind }) => {
    inputs[id] = el("input", { type: "radio", name: group, value: id, checked: id === picked, onchange: () => change(id) });
    return el("label", { class: `choice ${kind ?? ""}`, "data-option": id }, inputs[id], content);
  }));
  return {
    node,
    pick(id) {
      if (!inputs[id]) return false;
      inputs[id].checked = true;
      change(id);
      return true;
    },
  };
}

/** A number that goes up and down between bounds. */
export function counter(label, value, { min = 0, max, change }) {
  const shown = el("output", {}, value);
  const less = button("\u2212", () => go(value - 1), { "aria-label": `${label}: one less` });
  const more = button("+", () => go(value + 1), { "aria-label": `${label}: one more` });
  function go(next) {
    value = Math.min(Math.max(next, min), max);
    refill(shown, value);
    less.disabled = value <= min;
    more.disabled = value >= max;
    if (next === value) change(value);
  }
  less.disabled = value <= min;
  more.disabled = value >= max;
  return el("span", { class: "counter", role: "group", "aria-label": label }, less, shown, more);
}

/** How many of each kind of unit, from none up to those there are: `chosen` is changed, and `change` hears of it. */
export function unitCounters(there, chosen, house, change) {
  return el("div", { class: "units" }, Object.entries(there).map(([unit, n]) => n > 0 &&
    el("div", { class: "unit-row" }, unitIcon(unit, house), el("span", {}, `${unitName(unit, 2)} (${n})`),
      counter(unitName(unit, 2), chosen[unit] ?? 0, { max: n, change: (value) => {
        chosen[unit] = value;
        change();
      } }))));
}

/** A map of counts without its zeros. */
export function counted(units) {
  return Object.fromEntries(Object.entries(units).filter(([, n]) => n > 0));
}

/** The sum of a map of counts. */
export function total(units) {
  return Object.values(units).reduce((sum, n) => sum + n, 0);
}

/** What is left of a map of counts when others are taken from it. */
export function without(units, ...taken) {
  const left = { ...units };
  for (const each of taken) for (const [unit, n] of Object.entries(each)) left[unit] = (left[unit] ?? 0) - n;
  return left;
}

/** Whether the armies fit: `changes` are units more or less by area. Gives the words and whether it is within the limits. */
export function supplyLine({ limits, armies = {} }, changes) {
  const after = { ...armies };
  for (const [area, n] of Object.entries(changes)) after[area] = (after[area] ?? 0) + n;
  const sizes = Object.values(after).filter((n) => n > 1).sort((a, b) => b - a);
  const fits = sizes.every((n, k) => n <= (limits[k] ?? 1));
  return el("p", { class: fits ? "hint" : "warning" },
    `Supply: armies up to ${limits.join(", ") || "1"}; yours would be ${sizes.join(", ") || "none of two or more"}${fits ? "" : ". That is too large"}.`);
}

/** A line about an area, with its name. */
export function areaText(area, ...more) {
  return el("span", { class: "area-line" }, el("strong", {}, name(area)), more.map((text) => text && el("small", {}, text)));
}

/** A small button that takes something out of a list again. */
export function remover(label, press) {
  return button("\u00d7", press, { class: "quiet", "aria-label": label });
}
