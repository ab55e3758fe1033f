/** What the host may do: start, fill seats with bots, free a seat, move the clocks, close the table. */

import { button, el, refill } from "../dom.js";
import { name } from "../facts.js";
import { linkBox } from "../join.js";
import { hosted, keepHosted } from "../keys.js";
import { mark } from "../board/icons.js";

export const BOTS = { steward: "steward: plays by rules of thumb", regent: "regent: thinks ahead", random: "random: anything legal" };

export class HostPanel {
  #shown = "";
  #kind = "steward";
  #minutes = 60;
  #open = false;

  /** `ask(request)` sends a request of this room and may throw a refusal. */
  constructor(ask, room) {
    this.ask = ask;
    this.room = room;
    this.node = el("section", { class: "host", "aria-label": "Host", hidden: true });
    this.refusal = el("p", { class: "refusal", role: "alert" });
  }

  show({ phase, houses = {}, options = {}, paused }) {
    const table = hosted(this.room);
    const state = JSON.stringify([phase === "lobby", phase === "over", Object.values(houses).map(({ name: player, bot, connected, autopilot }) => [player, bot, connected, autopilot]), paused, table]);
    if (state === this.#shown) return;
    this.#shown = state;
    this.node.hidden = !table || phase === "over";
    if (this.node.hidden) return;
    const lobby = phase === "lobby";
    const free = Object.keys(houses).filter((house) => !houses[house].name && !houses[house].bot);
    refill(this.node, el("h2", {}, "You host this table"),
      lobby && options.autostart === false && el("p", {}, button("Start the game", () => this.#do({ action: "start" }), { class: "main", disabled: free.length > 0 })),
      free.length > 0 && this.#bots(),
      el("details", { open: this.#open, ontoggle: (event) => { this.#open = event.target.open; } }, el("summary", {}, "Seat by seat"),
        el("ul", { class: "host-seats" }, Object.entries(houses).map(([house, part]) => this.#seat(house, part, lobby ? null : table.invites[house])))),
      options.clock && !lobby && this.#clocks(paused),
      this.#close(), this.refusal);
  }

  #bots() {
    return el("p", { class: "line" },
      el("select", { "aria-label": "Kind of bot", onchange: (event) => { this.#kind = event.target.value; } },
        Object.entries(BOTS).map(([kind, text]) => el("option", { value: kind, selected: kind === this.#kind }, text))),
      button("Fill empty seats with bots", () => this.#do({ action: "bots", kind: this.#kind })));
  }

  #seat(house, { name: player, bot, connected, autopilot }, invite) {
    const who = bot ? `a bot (${bot})` : player;
    const absent = !player || !connected || autopilot;
    return el("li", {}, el("span", { class: `house h-${house}` }, mark(house), name(house)), who ? el("strong", {}, who) : el("em", {}, "free"),
      el("span", { class: "line" },
        who && this.#sure("Free this seat", `Free the seat of ${name(house)}`, () => this.#kick(house)),
        !bot && absent && button("Give it to a bot", () => this.#do({ action: "bots", house, kind: this.#kind }), { class: "quiet", "aria-label": `Give ${name(house)} to a bot` })),
      !who && invite && linkBox(this.room, house, invite));
  }

  #clocks(paused) {
    const minutes = el("input", { type: "number", min: 1, max: 10_080, value: this.#minutes, "aria-label": "Minutes", onchange: () => { this.#minutes = Number(minutes.value); } });
    return el("p", { class: "line" },
      paused ? button("Let the clocks go on", () => this.#do({ action: "resume" })) : button("Pause the clocks", () => this.#do({ action: "pause" })),
      button("Give more time", () => this.#do({ action: "extend", minutes: this.#minutes })), minutes, "minutes");
  }

  #close() {
    return el("p", {}, this.#sure("Close the table", "Close the table for good", () => this.#do({ action: "close" })));
  }

  /** A button that must be pressed twice. */
  #sure(text, label, act) {
    const press = button(text, () => {
      if (press.dataset.sure) {
        act();
        return;
      }
      press.dataset.sure = "yes";
      refill(press, "Press again to do it");
      setTimeout(() => {
        delete press.dataset.sure;
        refill(press, text);
      }, 4000);
    }, { class: "quiet danger", "aria-label": label });
    return press;
  }

  async #kick(house) {
    const done = await this.#do({ action: "kick", house });
    if (!done) return;
    const table = hosted(this.room);
    keepHosted({ ...table, invites: { ...table.invites, [house]: done.invite } });
    this.changed();
  }

  /** Called when the links have changed. */
  changed() {}

  async #do(fields) {
    refill(this.refusal);
    try {
      return await this.ask({ type: "host", token: hosted(this.room).host, ...fields });
    } catch (error) {
      refill(this.refusal, error.message, " ", error.hint);
      return null;
    }
  }
}
