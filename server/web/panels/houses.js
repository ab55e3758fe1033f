/** The houses: who plays them, power, supply, structures, hands and discards; and the three tracks. */

import { el, refill } from "../dom.js";
import { facts, name } from "../facts.js";
import { mark } from "../board/icons.js";
import { cardFace } from "./cards.js";

const TRACKS = { iron_throne: "Iron Throne", fiefdoms: "Fiefdoms", kings_court: "King's Court" };
const TOKENS = { fiefdoms: ["blade", "Valyrian Steel Blade"], kings_court: ["raven", "Messenger Raven"] };

export class HousesPanel {
  #shown = [];
  #open = new Set();

  constructor() {
    this.node = el("section", { class: "houses", "aria-label": "Houses" });
  }

  show(view) {
    const { houses = {}, tracks, tokens = {}, areas, waiting, you } = view;
    const state = [houses, tracks, tokens, areas, waiting];
    if (state.every((part, k) => part === this.#shown[k])) return;
    this.#shown = state;
    const held = (house) => Object.entries(areas ?? {}).filter(([id, part]) => part.owner === house && facts.areas[id].structure !== "none").length;
    const order = tracks?.iron_throne ?? Object.keys(houses);
    refill(this.node,
      tracks && el("div", { class: "tracks" }, Object.entries(TRACKS).map(([track, title]) => this.#track(title, tracks[track], TOKENS[track], tokens))),
      order.map((house) => this.#house(house, houses[house] ?? {}, held(house), house === you?.house)));
  }

  #track(title, order, token, tokens) {
    return el("div", { class: "track" }, el("h3", {}, title),
      el("ol", {}, order.map((house) => el("li", {}, el("span", { class: `house h-${house}` }, mark(house), name(house))))),
      token && el("p", { class: "hint" }, `${token[1]}: ${tokens[token[0]] ?? "ready"}`));
  }

  #house(house, { name: player, bot, connected, autopilot, clock, power = 0, supply = 0, hand = [], discard = [] }, held, mine) {
    const limits = facts.supply[supply] ?? [];
    const box = el("details", { open: this.#open.has(house) },
      el("summary", {},
        el("span", { class: `house h-${house}` }, mark(house), name(house)),
        el("span", { class: "player" }, player ?? "", mine ? " (you)" : "", bot && el("em", {}, ` a bot (${bot})`), player && connected === false && el("em", {}, " away"), autopilot && el("em", {}, " on autopilot")),
        el("span", { class: "figures" }, figure("structures", `${held}/${facts.to_win}`), figure("power", power), figure("supply", supply), figure("cards", hand.length))),
      el("p", { class: "hint" }, `Supply ${supply}: armies up to ${limits.join(", ")}`),
      clock?.bank !== undefined && el("p", { class: "hint" }, `Time in the bank: ${Math.round(clock.bank / 1000)} s`),
      el("h4", {}, "In hand"), hand.length ? hand.map((card) => cardFace(card)) : el("p", { class: "hint" }, "none"),
      el("h4", {}, "Discarded"), discard.length ? discard.map((card) => cardFace(card)) : el("p", { class: "hint" }, "none"));
    box.addEventListener("toggle", () => (box.open ? this.#open.add(house) : this.#open.delete(house)));
    return box;
  }
}

function figure(label, value) {
  return el("span", { class: "figure", title: label }, el("small", {}, label), " ", value);
}
