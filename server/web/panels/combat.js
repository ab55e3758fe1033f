/** A combat with both sums, part by part; the last one stays until the next begins or the round ends. */

import { el, refill } from "../dom.js";
import { name, unitsInWords } from "../facts.js";
import { signed, sourceName } from "../words.js";
import { mark } from "../board/icons.js";
import { tideText } from "../prompts/question.js";
import { cardFace } from "./cards.js";

const STAGES = {
  support: "Support is called for", cards: "House cards are being chosen", revealed: "The house cards lie open",
  blade: "The Valyrian Steel Blade", tides: "The Tides of Battle", losses: "Losses", retreat: "The retreat",
};

export class CombatPanel {
  #last = null;
  #shown = null;

  constructor() {
    this.node = el("section", { class: "combat", "aria-label": "Combat", hidden: true });
  }

  /** Follows a document and what happened. */
  show(view, events) {
    for (const event of events) {
      if (event.type === "combat_began") this.#last = { cards: {} };
      if (event.type === "cards_revealed" && this.#last) this.#last.cards = event.cards;
      if (event.type === "combat_decided") this.#last = { ...this.#last, decided: event };
      if (event.type === "round_began") this.#last = null;
    }
    const { combat } = view;
    const { decided } = this.#last ?? {};
    const state = combat ?? decided ?? null;
    if (state === this.#shown) return;
    this.#shown = state;
    this.node.hidden = !state;
    if (combat) this.#running(combat);
    else if (decided) this.#over(decided, this.#last.cards);
  }

  /** Shows a place in a game that is known in whole: `moments` are {view, events}. */
  jump(view, moments, at) {
    const begins = ({ events }) => events.some(({ type }) => type === "combat_began" || type === "round_began");
    let from = at;
    while (from > 0 && !begins(moments[from])) from--;
    this.#last = null;
    this.show(view, moments.slice(from, at + 1).flatMap(({ events }) => events));
  }

  #running({ attacker, defender, area, from, units, stage, cards = {}, tides = {}, strength = {}, winner }) {
    const head = winner ? `${name(winner)} won in ${name(area)}` : `${name(attacker)} attacks ${name(defender)} in ${name(area)}`;
    const how = [winner && `${name(attacker)} attacked`, from && `from ${name(from)}`, units && `with ${unitsInWords(units)}`].filter(Boolean).join(" ");
    refill(this.node, el("h2", {}, head), el("p", { class: "hint" }, how, stage && `. ${STAGES[stage] ?? name(stage)}.`),
      sides(["attacker", "defender"].map((side) => {
        const house = side === "attacker" ? attacker : defender;
        return { house, side, sum: strength[side], card: cards[house], tide: tides[house], won: house === winner };
      })));
  }

  #over({ attacker, defender, area, winner, tie }, cards) {
    refill(this.node, el("h2", {}, `${name(winner)} won in ${name(area)}`),
      tie && el("p", { class: "hint" }, "Equal strength: the Fiefdoms track decided."),
      sides([["attacker", attacker], ["defender", defender]].map(([side, sum]) =>
        ({ house: sum.house, side, sum, card: cards?.[sum.house], won: sum.house === winner }))));
  }
}

function sides(both) {
  const sums = el("div", { class: "sides" }, both.map(({ house, side, sum, tide, won }) =>
    el("div", { class: `side h-${house} ${won ? "won" : ""}` },
      el("h3", {}, el("span", { class: `house h-${house}` }, mark(house), name(house)), el("small", {}, side)),
      el("p", { class: "sum", "aria-label": `Strength ${sum?.total ?? 0}` }, sum?.total ?? 0),
      el("ul", { class: "parts" }, (sum?.parts ?? []).map(([source, n]) => el("li", {}, el("span", {}, sourceName(source)), el("span", {}, signed(n))))),
      tide && el("p", {}, `Tides: ${tideText(tide)}`))));
  return [sums, both.map(({ card }) => card && cardFace(card))];
}
