/** All orders at once: choose an area, then a token, by pointer or by key; each order may have a plan. */

import { button, el, refill } from "../dom.js";
import { facts, name } from "../facts.js";
import { orderIcon } from "../board/icons.js";
import { remover } from "./parts.js";
import { planForm } from "./plan.js";

const KEYS = { m: "march", d: "defense", s: "support", r: "raid", c: "consolidate_power" };

export function placeOrders(ask) {
  const { prompt, house } = ask;
  const orders = { ...ask.before?.orders };
  const plans = { ...ask.before?.plans };
  let current = prompt.areas.find((area) => !orders[area]) ?? prompt.areas[0];
  let planning = null;
  const counts = el("p", { class: "counts", "aria-live": "polite" });
  const palette = el("div", { class: "palette", role: "group", "aria-label": "Order tokens" });
  const list = el("ul", { class: "orders" });
  const starred = new Set(prompt.starred);

  const others = (area) => Object.entries(orders).filter(([where]) => where !== area).map(([, order]) => order);
  const left = (token, area) => prompt.tokens[token] - others(area).filter((order) => order === token).length;
  const starsLeft = (area) => (prompt.stars ?? 0) - others(area).filter((order) => starred.has(order)).length;
  const free = (token, area) => left(token, area) > 0 && (!starred.has(token) || starsLeft(area) > 0);

  function lay(token) {
    if (!free(token, current)) return;
    if (orders[current] !== token) delete plans[current];
    orders[current] = token;
    current = prompt.areas.find((area) => !orders[area]) ?? current;
    draw();
  }

  function take(area) {
    delete orders[area];
    delete plans[area];
    current = area;
    draw();
  }

  function select(area) {
    if (!prompt.areas.includes(area)) return;
    current = area;
    draw();
    list.querySelector(".current")?.scrollIntoView({ block: "nearest" });
  }

  /** The next free token of a kind, after the one that lies there. */
  function cycle(kind) {
    const tokens = Object.keys(prompt.tokens).filter((token) => facts.orders[token].kind === kind && free(token, current));
    const area = current;
    if (!tokens.length) return;
    lay(tokens[(tokens.indexOf(orders[area]) + 1) % tokens.length]);
  }

  function key(pressed) {
    if (pressed in KEYS) cycle(KEYS[pressed]);
    else if (pressed === "Delete" || pressed === "Backspace") take(current);
    else return false;
    return true;
  }

  function draw() {
    const stars = Object.values(orders).filter((order) => starred.has(order)).length;
    refill(counts, `${Object.keys(orders).length} of ${prompt.required} orders, ${stars} of ${prompt.stars ?? 0} stars`);
    refill(palette, Object.keys(prompt.tokens).map((token) => {
      const n = left(token, current);
      return el("button", { type: "button", class: "token", disabled: !free(token, current), onclick: () => lay(token),
        "data-order": token, "aria-label": `${name(token)}, ${n} left, for ${name(current)}`, title: name(token) },
      orderIcon(facts.orders[token]), el("small", {}, `\u00d7${n}`));
    }));
    refill(list, prompt.areas.map(row));
    ask.changed();
  }

  function row(area) {
    const order = orders[area];
    const open = planning === area;
    const node = el("li", { class: area === current ? "current" : "" },
      el("button", { type: "button", class: "area", "aria-pressed": String(area === current), "data-area-row": area, onclick: () => select(area) },
        el("span", {}, name(area)), order ? el("span", { class: "laid" }, orderIcon(facts.orders[order]), name(order)) : el("em", {}, "no order yet")),
      order && button(plans[area] ? "Plan \u2713" : "Plan", () => { planning = open ? null : area; draw(); },
        { class: "quiet", "aria-expanded": String(open), "aria-label": `Plan for ${name(area)}` }),
      order && remover(`Take the order away from ${name(area)}`, () => take(area)));
    ask.place(`answer.orders.${area}`, node);
    if (!open || !order) return node;
    const part = ask.view().areas[area] ?? {};
    const form = planForm({ area, order, units: part.units ?? {}, house, houses: Object.keys(ask.view().houses), plan: plans[area] ?? {} }, (plan) => {
      if (plan) plans[area] = plan;
      else delete plans[area];
      ask.changed();
    });
    return [node, ask.place(`answer.plans.${area}`, el("li", { class: "plan-row" }, form))];
  }

  const body = el("div", { class: "place-orders", onkeydown: (event) => {
    if (["INPUT", "SELECT"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (key(event.key)) {
      event.preventDefault();
      list.querySelector(".current .area")?.focus();
    }
  } },
  counts, palette, list,
  el("p", { class: "hint keys" }, "Choose an area here or on the board, then a token. Keys: M march, D defense, S support, R raid, C consolidate; again for the next one; Delete takes it away."));
  ask.place("answer.orders", counts);
  draw();
  return {
    body,
    verb: "Send the orders",
    look: prompt.areas,
    answer: () => ({ type: "place_orders", orders, ...(Object.keys(plans).length && { plans }) }),
    missing: () => {
      const n = prompt.required - Object.keys(orders).length;
      return n > 0 ? `${n} ${n > 1 ? "areas have" : "area has"} no order yet.` : "";
    },
    marks: () => ({ ...Object.fromEntries(prompt.areas.map((area) => [area, orders[area] ? "offered done" : "offered"])), [current]: "chosen" }),
    laid: () => orders,
    plans: () => plans,
    pick: select,
    key: (area, pressed) => {
      if (!prompt.areas.includes(area)) return false;
      current = area;
      return key(pressed);
    },
    draft: () => ({ orders, plans }),
  };
}
