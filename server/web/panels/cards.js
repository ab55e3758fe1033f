/** Cards as they are shown: house cards with their text, Westeros and wildling cards. */

import { el } from "../dom.js";
import { facts, name } from "../facts.js";
import { mark, sign } from "../board/icons.js";

/** A house card with everything that is printed on it. */
export function cardFace(id) {
  const { house, strength, swords, fortifications } = facts.cards[id];
  const words = [`strength ${strength}`, swords && `${swords} swords`, fortifications && `${fortifications} fortifications`].filter(Boolean).join(", ");
  return el("span", { class: `card h-${house}` },
    el("span", { class: "card-head" },
      el("span", { class: "strength", "aria-hidden": "true" }, strength),
      el("strong", {}, name(id)),
      el("span", { class: "card-icons", "aria-hidden": "true" }, sign("sword", swords), sign("fort", fortifications)), mark(house),
      el("span", { class: "sr" }, `, ${name(house)}, ${words}`)),
    facts.texts[id] && el("span", { class: "card-text" }, facts.texts[id]));
}

/** A Westeros or wildling card with its text. */
export function deckCard(id) {
  return el("span", { class: "card deck" }, el("span", { class: "card-head" }, el("strong", {}, name(id))),
    facts.texts[id] && el("span", { class: "card-text" }, facts.texts[id]));
}
