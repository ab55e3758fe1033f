/** What a prompt is about, in words. */

import { el } from "../dom.js";
import { facts, name } from "../facts.js";
import { cardFace, deckCard } from "../panels/cards.js";

const TITLES = {
  place_orders: () => "Place your orders",
  raven: () => "The Messenger Raven is yours",
  raid: () => "Resolve a raid order",
  march: () => "Resolve a march order",
  consolidate: () => "Resolve a consolidate power order",
  muster: ({ one_site: one }) => (one ? "Muster in one place" : "Muster"),
  bid: ({ subject }) => (subject === "wildlings" ? "Bid against the wildlings" : `Bid for the ${name(subject)} track`),
  rank: ({ subject, pick, lowest }) => {
    if (subject !== "wildlings") return `Settle the tie on the ${name(subject)} track`;
    return pick === 1 ? `Who counts as the ${lowest ? "lowest" : "highest"} bidder?` : "Settle the tie";
  },
  casualties: ({ count }) => `Lose ${count} ${count > 1 ? "units" : "unit"} in combat`,
  retreat: ({ answer, card }) => (answer === "remove" ? "Lose units to retreat" : card ? "Where shall they retreat to?" : "Where do you retreat to?"),
  reconcile: ({ count }) => `Too many armies: give up ${count} ${count > 1 ? "units" : "unit"}`,
  wildlings: ({ card, answer, becomes, count }) => {
    if (answer !== "remove") return name(card);
    return becomes ? `${name(card)}: ${count} units turn` : `${name(card)}: give up ${count} ${count > 1 ? "units" : "unit"}`;
  },
  support: ({ area }) => `Whom do you support in ${name(area)}?`,
  house_card: () => "Play a house card",
  ability: ({ card }) => name(card),
  blade: ({ options }) => (options.includes("redraw") ? "The Valyrian Steel Blade: draw another Tides card?" : "Swing the Valyrian Steel Blade for +1?"),
  port: ({ area }) => `How many ships do you take over in ${name(area)}?`,
  westeros: ({ card }) => name(card),
  wildling_card: () => "You look beyond the Wall",
};

/** The title of a prompt and what it is about. */
export function question(prompt, view) {
  const title = (TITLES[prompt.kind] ?? (() => name(prompt.kind)))(prompt);
  return { title, about: [note(view), about(prompt)] };
}

function about({ kind, card, area, attacker, defender, strength, subject, power, strength: wildlings }) {
  const lines = [];
  if (attacker && defender) {
    const sums = kind === "support" || !strength ? "" : `: ${strength.attacker ?? 0} against ${strength.defender ?? 0} so far`;
    lines.push(el("p", {}, `${name(attacker)} attacks ${name(defender)} in ${name(area)}${sums}.`));
  }
  if (card in facts.cards) lines.push(cardFace(card));
  else if (card in facts.tides) lines.push(el("p", {}, `You have drawn: ${tideText(card)}.`));
  else if (card) lines.push(deckCard(card));
  if (kind === "bid") lines.push(el("p", {}, `You have ${power ?? 0} power.${subject === "wildlings" ? ` The wildlings attack with strength ${wildlings ?? 0}.` : ""}`));
  return lines;
}

function note(view) {
  return view.you?.note && el("p", { class: "warning" }, view.you.note);
}

/** A Tides of Battle card in words. */
export function tideText(card) {
  const { strength, swords, fortifications, skulls } = facts.tides[card];
  return [`+${strength}`, swords && "a sword", fortifications && "a fortification", skulls && "a skull"].filter(Boolean).join(" and ");
}

/** The time left until a deadline: minutes and seconds, or the hour when there is more. */
export function timeLeft(left, deadline) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`;
  return `until ${new Date(deadline).toLocaleString([], { weekday: "short", hour: "2-digit", minute: "2-digit" })}`;
}

/** A secret answer in words. */
export function answerInWords({ answer, orders, plans = {} }) {
  if (orders) {
    return el("ul", { class: "plain" }, Object.entries(orders).map(([area, order]) =>
      el("li", {}, `${name(area)}: ${name(order)}${plans[area] ? " (with a plan)" : ""}`)));
  }
  if (answer?.type === "bid") return el("p", {}, `Your bid: ${answer.power}`);
  if (answer?.type === "choose") return answer.option in facts.cards ? cardFace(answer.option) : el("p", {}, name(answer.option));
  return null;
}
