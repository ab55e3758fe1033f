/** The table before the game: who sits where, the links to give away, free seats to take. */

import { button, el, refill } from "../dom.js";
import { name } from "../facts.js";
import { seatLink, sitDown, tableAddress } from "../join.js";
import { hosted, seat } from "../keys.js";
import { mark } from "../board/icons.js";

export class SeatsPanel {
  #shown = "";

  constructor(wire, room) {
    this.wire = wire;
    this.room = room;
    this.node = el("section", { class: "seats", "aria-label": "Seats" });
  }

  show({ phase, houses = {}, options = {}, you }) {
    this.node.hidden = phase !== "lobby";
    const state = JSON.stringify([phase, Object.values(houses).map((house) => house.name), you?.house]);
    if (phase !== "lobby" || state === this.#shown) return;
    this.#shown = state;
    const table = hosted(this.room);
    refill(this.node,
      el("h2", {}, `Table ${this.room}`),
      el("p", {}, `${options.players} players${options.tides ? ", with Tides of Battle" : ""}${options.private ? ", private" : ""}. `,
        "The game begins when the last seat is taken."),
      table && el("p", {}, "Send each player a link; it is worth a seat, so do not post it in public."),
      el("ul", { class: "seat-list" }, Object.entries(houses).map(([house, { name: player }]) =>
        this.#seat(house, player, table?.invites[house], options.private, Boolean(you)))),
      // Bots for empty seats will be asked for here, by the host.
      el("p", { class: "hint" }, "Anybody may watch: ", el("a", { href: tableAddress(this.room) }, "the address of the table"), "."));
  }

  #seat(house, player, invite, isPrivate, seated) {
    const who = el("span", { class: `house h-${house}` }, mark(house), name(house));
    const mine = seat(this.room, house);
    if (player) return el("li", {}, who, el("strong", {}, player), mine && el("a", { href: tableAddress(this.room, house) }, "yours"));
    const link = invite && el("span", { class: "link" },
      el("input", { readonly: true, value: seatLink(this.room, house, invite), "aria-label": `Link for ${name(house)}`, onfocus: (event) => event.target.select() }),
      button("Copy", (event) => copy(event.target, seatLink(this.room, house, invite)), { "aria-label": `Copy the link for ${name(house)}` }));
    const sit = (invite || !isPrivate) && !seated && el("details", {}, el("summary", {}, "Sit here"),
      sitDown(this.wire, this.room, house, invite ? { invite } : { house }, "Sit down"));
    return el("li", {}, who, el("em", {}, "free"), link, sit);
  }
}

async function copy(press, text) {
  try {
    await navigator.clipboard.writeText(text);
    press.textContent = "Copied";
  } catch {
    press.textContent = "Copy it by hand";
    press.previousSibling.select();
  }
}
