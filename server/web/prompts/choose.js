/** One of the options that the prompt lists: a side, a card, an area, yes or no. */

import { el } from "../dom.js";
import { facts, name } from "../facts.js";
import { mark } from "../board/icons.js";
import { cardFace } from "../panels/cards.js";
import { areaText, choices } from "./parts.js";

const WORDS = {
  use: "Use it", pass: "Do not", none: "Nobody", top: "Put it back on top", bottom: "Put it at the bottom",
  redraw: "Spend the blade and draw another", units: "Destroy 2 units",
};
const KIND_WORDS = { westeros: { none: "Nothing" }, blade: { use: "Swing it", pass: "Keep it" } };

export function choose(ask) {
  const { prompt } = ask;
  const { options, kind } = prompt;
  const before = options.includes(ask.before?.option) ? ask.before.option : null;
  let option = before;
  const list = choices(options.map((id) => ({ id, content: content(id, prompt), kind: id in facts.cards ? "card-choice" : "" })),
    "Your choice", (id) => { option = id; ask.changed(); }, before);
  const areas = options.filter((id) => id in facts.areas);
  ask.place("answer.option", list.node);
  return {
    body: el("div", { class: `choose k-${kind}` }, list.node),
    verb: kind === "house_card" ? "Play it" : "Decide",
    look: areas.length ? [...areas, prompt.area].filter(Boolean) : prompt.area ? [prompt.area] : [],
    answer: () => ({ type: "choose", option }),
    missing: () => (option ? "" : "Choose first."),
    marks: () => ({ ...(prompt.area && { [prompt.area]: "source" }), ...Object.fromEntries(areas.map((id) => [id, id === option ? "chosen" : "offered"])) }),
    pick: list.pick,
  };
}

function content(id, prompt) {
  const { kind, strength = {} } = prompt;
  if (kind === "support" && id in { attacker: 1, defender: 1 }) {
    const house = prompt[id];
    return [el("span", { class: `house h-${house}` }, mark(house), name(house)),
      el("small", {}, [house && `the ${id}`, strength[id] !== undefined && `your support adds ${strength[id]}`].filter(Boolean).join(", "))];
  }
  if (id in facts.cards) return cardFace(id);
  if (id in facts.areas) return areaText(id);
  if (id in (KIND_WORDS[kind] ?? {})) return KIND_WORDS[kind][id];
  return WORDS[id] ?? name(id);
}
