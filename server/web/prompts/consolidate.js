/** A consolidate power order: take its power, or muster with it where that is possible. */

import { el, refill } from "../dom.js";
import { name } from "../facts.js";
import { areaText, choices } from "./parts.js";
import { recruits } from "./recruits.js";

export function consolidate(ask) {
  const { prompt } = ask;
  const { orders } = prompt;
  let option = null;
  let use = null;
  let work = null;
  const place = el("div", {});
  const site = el("div", {});
  const picker = orders.length > 1 && choices(orders.map(({ from, power, muster }) =>
    ({ id: from, content: areaText(from, `${power} power`, muster && "or muster") })), "Which order", begin);

  function begin(from) {
    option = orders.find((each) => each.from === from);
    use = option.muster ? null : "power";
    work = null;
    refill(site);
    refill(place, option.muster && choices([
      { id: "power", content: `Take ${option.power} power` },
      { id: "muster", content: `Muster for ${option.muster.points} points` },
    ], `The order in ${name(from)}`, (id) => {
      use = id;
      work = id === "muster" ? recruits(ask, [option.muster], prompt, "answer.muster") : null;
      refill(site, work?.node);
      work?.draw();
      ask.changed();
    }).node);
    ask.changed();
  }

  ask.place("answer.from", place);
  if (!picker) begin(orders[0].from);
  return {
    body: el("div", {}, picker && picker.node, place, site),
    verb: "Consolidate power",
    look: orders.map(({ from }) => from),
    answer: () => ({ type: "consolidate", from: option.from, ...(use === "muster" && { muster: work.list() }) }),
    missing: () => (!option ? "Choose the order first." : !use ? "Choose what it shall do." : ""),
    marks: () => Object.fromEntries(orders.map(({ from }) => [from, from === option?.from ? "chosen" : "offered"])),
    pick: (area) => picker && picker.pick(area),
  };
}
