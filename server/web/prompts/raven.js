/** The Messenger Raven: replace an order, look at the wildling deck, or nothing. */

import { el, refill } from "../dom.js";
import { facts, name } from "../facts.js";
import { orderIcon } from "../board/icons.js";
import { areaText, choices } from "./parts.js";

export function raven(ask) {
  const { exchanges = {} } = ask.prompt;
  const areas = Object.keys(exchanges);
  let use = null;
  let area = null;
  let order = null;
  const where = el("div", {});
  const what = el("div", {});
  const uses = choices([
    areas.length && { id: "replace", content: "Replace one of your orders" },
    { id: "look", content: "Look at the top card of the wildling deck" },
    { id: "pass", content: "Leave everything as it is" },
  ].filter(Boolean), "How to use the Raven", (id) => { use = id; draw(); });
  let places = null;

  function draw() {
    area = order = null;
    refill(what);
    places = use === "replace" ? choices(areas.map((id) => ({ id, content: areaText(id, name(ask.view().areas[id]?.order ?? "")) })), "Which order", pickArea) : null;
    refill(where, places?.node);
    ask.changed();
  }

  function pickArea(id) {
    area = id;
    order = null;
    refill(what, el("h3", {}, `Instead in ${name(id)}`), choices(exchanges[id].map((token) => ({
      id: token, kind: "order-choice", content: [orderIcon(facts.orders[token]), name(token)],
    })), "The new order", (token) => { order = token; ask.changed(); }).node);
    ask.changed();
  }

  ask.place("answer.use", uses.node);
  ask.place("answer.area", where);
  ask.place("answer.order", what);
  return {
    body: el("div", {}, uses.node, where, what),
    verb: "Send the Raven",
    answer: () => ({ type: "raven", use, ...(use === "replace" && { area, order }) }),
    missing: () => (!use || (use === "replace" && !order) ? "Choose first." : ""),
    marks: () => (use === "replace" ? Object.fromEntries(areas.map((id) => [id, id === area ? "chosen" : "offered"])) : {}),
    laid: () => (order ? { [area]: order } : null),
    pick: (id) => places?.pick(id),
  };
}
