/** The table before the game: who sits where, the links to give away, free seats to take. */

import { el, refill } from "../dom.js";
import { name } from "../facts.js";
import { linkBox, sitDown, tableAddress } from "../join.js";
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
    const state = JSON.stringify([phase, Object.values(houses).map(({ name: player, bot }) => [player, bot]), you?.house, hosted(this.room)?.invites]);
    if (phase !== "lobby" || state === this.#shown) return;
    this.#shown = state;
    const table = hosted(this.room);
    refill(this.node,
      el("h2", {}, `Table ${this.room}`),
      el("p", {}, `${options.players} players${options.tides ? ", with Tides of Battle" : ""}${options.private ? ", private" : ""}. `,
        options.autostart === false ? "The host starts the game." : "The game begins when the last seat is taken."),
      table && el("p", {}, "Send each player a link; it is worth a seat, so do not post it in public."),
      el("ul", { class: "seat-list" }, Object.entries(houses).map(([house, { name: player, bot }]) =>
        this.#seat(house, bot ? `a bot (${bot})` : player, table?.invites[house], options.private, Boolean(you)))),
      el("p", { class: "hint" }, "Anybody may watch: ", el("a", { href: tableAddress(this.room) }, "the address of the table"), "."));
  }

  #seat(house, player, invite, isPrivate, seated) {
    const who = el("span", { class: `house h-${house}` }, mark(house), name(house));
    const mine = seat(this.room, house);
    if (player) return el("li", {}, who, el("strong", {}, player), mine && el("a", { href: tableAddress(this.room, house) }, "yours"));
    const link = invite && linkBox(this.room, house, invite);
    const sit = (invite || !isPrivate) && !seated && el("details", {}, el("summary", {}, "Sit here"),
      sitDown(this.wire, this.room, house, invite ? { invite } : { house }, "Sit down"));
    return el("li", {}, who, el("em", {}, "free"), link, sit);
  }
}
