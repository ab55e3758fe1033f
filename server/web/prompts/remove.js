/** Units to give up: so many of those that are offered. */

import { el, refill } from "../dom.js";
import { name } from "../facts.js";
import { counted, supplyLine, total, unitCounters } from "./parts.js";

export function remove(ask) {
  const { units, count, supply, one_area: oneArea } = ask.prompt;
  const gone = Object.fromEntries(Object.keys(units).map((area) => [area, {}]));
  const state = el("div", { "aria-live": "polite" });
  const chosen = () => Object.values(gone).reduce((sum, each) => sum + total(each), 0);

  function draw() {
    const changes = Object.fromEntries(Object.entries(gone).map(([area, each]) => [area, -total(each)]));
    refill(state, el("p", {}, `${chosen()} of ${count}${oneArea ? ", all in one area" : ""}`), supply && supplyLine(supply, changes));
    ask.changed();
  }

  const body = el("div", {}, Object.entries(units).map(([area, there]) => ask.place(`answer.units.${area}`, el("section", { class: "site", "data-area-units": area },
    el("h3", {}, name(area)), unitCounters(there, gone[area], ask.house, draw)))), state);
  ask.place("answer.units", state);
  draw();
  return {
    body,
    verb: ask.prompt.becomes ? "Turn them" : "Give them up",
    look: Object.keys(units),
    answer: () => ({
      type: "remove",
      units: Object.fromEntries(Object.entries(gone).map(([area, each]) => [area, counted(each)]).filter(([, each]) => total(each))),
    }),
    missing: () => (chosen() === count ? "" : chosen() < count ? `${count - chosen()} to go.` : `${chosen() - count} too many.`),
    marks: () => Object.fromEntries(Object.keys(units).map((area) => [area, total(gone[area]) ? "chosen" : "offered"])),
  };
}
