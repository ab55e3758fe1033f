/** A raid: which order, and which enemy order it removes. */

import { el, refill } from "../dom.js";
import { name } from "../facts.js";
import { areaText, choices } from "./parts.js";

const NOBODY = "none";

export function raid(ask) {
  const { raids } = ask.prompt;
  let option = null;
  let target = null;
  let goals = null;
  const work = el("div", {});
  const picker = raids.length > 1 && choices(raids.map(({ from }) => ({ id: from, content: areaText(from) })), "Which raid", begin);

  function begin(from) {
    option = raids.find((each) => each.from === from);
    target = null;
    const { areas } = ask.view();
    const items = (option.targets ?? []).map((area) => ({
      id: area, content: areaText(area, `${name(areas[area]?.order ?? "")} of ${name(areas[area]?.owner ?? "")}`),
    }));
    goals = choices([...items, { id: NOBODY, content: "Nobody: discard the order" }], "Whom to raid", (id) => { target = id; ask.changed(); });
    refill(work, el("h3", {}, `The raid in ${name(from)}`), goals.node);
    ask.changed();
  }

  ask.place("answer.from", work);
  ask.place("answer.target", work);
  if (!picker) begin(raids[0].from);
  return {
    body: el("div", {}, picker && picker.node, work),
    verb: "Raid",
    look: raids.flatMap(({ from, targets = [] }) => [from, ...targets]),
    answer: () => ({ type: "raid", from: option.from, ...(target !== NOBODY && { target }) }),
    missing: () => (!option ? "Choose the order first." : target ? "" : "Choose whom to raid."),
    marks: () => (option
      ? { ...Object.fromEntries((option.targets ?? []).map((area) => [area, area === target ? "chosen" : "offered attack"])), [option.from]: "source" }
      : Object.fromEntries(raids.map(({ from }) => [from, "offered"]))),
    pick: (area) => (option && goals.pick(area)) || (picker && picker.pick(area)),
  };
}
