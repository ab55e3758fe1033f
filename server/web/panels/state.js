/** Where the game is: round, phase, who is awaited, Westeros cards, the threat; and the result at the end. */

import { el, refill } from "../dom.js";
import { facts, name } from "../facts.js";
import { mark } from "../board/icons.js";
import { deckCard } from "./cards.js";

/** Of more houses than this only the marks are shown where everybody is awaited. */
const MOST_NAMED = 3;

/** A line at the top; whether the viewer is awaited is told elsewhere. */
export function stateLine(view) {
  const { phase, round, step, waiting = [], you, paused } = view;
  const others = waiting.filter((house) => house !== you?.house);
  if (phase === "lobby") return [el("strong", {}, "Waiting for players")];
  const where = phase === "over" ? "The game is over" : [round && `Round ${round} of ${facts.rounds}`, name(step && phase === "action" ? step : phase)].filter(Boolean).join(", ");
  return [
    el("strong", {}, where),
    paused && el("em", {}, "paused"),
    others.length > 0 && el("span", { class: "waiting" }, "Awaited: ", others.map((house) =>
      el("span", { class: `house h-${house}`, title: name(house) }, mark(house), el("span", { class: others.length > MOST_NAMED ? "sr" : "" }, name(house))))),
  ];
}

/** Who has won, and why; `again` leads to the replay, if there is one. */
export function resultBox({ result, houses, phase }, again) {
  if (!result) return phase === "over" && el("section", { class: "result", "aria-label": "Result" }, el("h2", {}, "The table was closed"), again);
  return el("section", { class: "result", "aria-label": "Result" }, el("h2", {}, `${name(result.winner)} wins`),
    el("p", {}, facts.phrases[result.reason] ?? name(result.reason)),
    el("ol", {}, result.standing.map((house) =>
      el("li", {}, el("span", { class: `house h-${house}` }, mark(house), name(house)), ` ${houses[house]?.name ?? ""}`))), again);
}

/** What holds for the whole round. */
export class RoundPanel {
  #shown = [];

  constructor() {
    this.node = el("section", { class: "round", "aria-label": "The round" });
  }

  show({ westeros = [], threat = 0, restrictions = [] }) {
    const state = [westeros, threat, restrictions];
    if (state.every((part, k) => JSON.stringify(part) === JSON.stringify(this.#shown[k]))) return;
    this.#shown = state;
    refill(this.node,
      el("h2", {}, "Westeros"),
      el("p", {}, `Wildling threat ${threat} of ${facts.threat}`, el("progress", { max: facts.threat, value: threat, "aria-label": "Wildling threat" })),
      restrictions.length > 0 && el("p", { class: "warning" }, `Forbidden this round: ${restrictions.map(name).join(", ")}`),
      westeros.length ? westeros.map((card) => deckCard(card)) : el("p", { class: "hint" }, "No Westeros cards in the first round."));
  }
}
