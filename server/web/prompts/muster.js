/** Everything a house musters at once. */

import { el } from "../dom.js";
import { recruits } from "./recruits.js";

export function muster(ask) {
  const { prompt } = ask;
  const work = recruits(ask, prompt.sites, prompt, "answer.recruits");
  work.draw();
  return {
    body: el("div", {}, prompt.one_site && el("p", {}, "All in one of these places."), work.node),
    verb: "Muster",
    look: prompt.sites.map(({ at }) => at),
    answer: () => ({ type: "muster", recruits: work.list() }),
    missing: () => (work.list().length ? "" : "Choose recruits, or muster nobody."),
    others: [["Muster nobody", { type: "muster", recruits: [] }]],
    marks: () => Object.fromEntries(prompt.sites.map(({ at }) => [at, "offered"])),
  };
}
