/** The controls of a replay: step, scrub, play, whose eyes, and a link to the moment. */

import { button, el, refill } from "../dom.js";
import { name } from "../facts.js";

const SPEEDS = { 0.5: "half speed", 1: "normal", 2: "twice", 4: "4 times", 8: "8 times" };
/** How long a moment is shown, in milliseconds: one at which something happened, and one at which somebody only answered. */
const LONG = 1300;
const SHORT = 250;

export class Bar {
  #at = 0;
  #end = 0;
  #timer = 0;
  #speed = 1;

  /** `go(place)` and `round(way)` move, `look(viewer)` changes the eyes, `loud(place)` tells whether something happened there. */
  constructor({ go, round, look, loud, link }) {
    Object.assign(this, { go, loud });
    const press = (text, label, act, props) => button(text, act, { "aria-label": label, title: label, ...props });
    this.range = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Moment", oninput: () => { this.pause(); go(Number(this.range.value)); } });
    this.toggle = press("\u25b6", "Play", () => (this.playing ? this.pause() : this.play()), { class: "main" });
    this.steps = [
      press("\u00ab", "To the round before", () => this.#hand(() => round(-1))),
      press("\u2039", "A step back", () => this.#hand(() => go(this.#at - 1))),
      this.toggle,
      press("\u203a", "A step forward", () => this.#hand(() => go(this.#at + 1))),
      press("\u00bb", "To the next round", () => this.#hand(() => round(1))),
    ];
    this.where = el("output", { class: "where" }, "\u2026");
    this.eyes = el("select", { "aria-label": "As seen by", onchange: () => look(this.eyes.value) });
    const speed = el("select", { "aria-label": "Speed", onchange: () => { this.#speed = Number(speed.value); } },
      Object.entries(SPEEDS).sort(([a], [b]) => a - b).map(([value, text]) => el("option", { value, selected: value === "1" }, text)));
    const copy = button("Copy link", async () => {
      const done = await link().then(() => "Copied", () => "It is in the address bar");
      refill(copy, done);
      setTimeout(() => refill(copy, "Copy link"), 2000);
    }, { title: "A link to this moment" });
    this.node = el("section", { class: "bar", "aria-label": "Replay" }, this.range,
      el("div", { class: "steps" }, this.steps), this.where,
      el("div", { class: "settings" }, el("label", {}, el("span", {}, "Seen by"), this.eyes), el("label", {}, el("span", {}, "Speed"), speed), copy));
  }

  get playing() {
    return this.#timer !== 0;
  }

  /** Who may be looked through. */
  viewers(houses, chosen) {
    const options = [["all", "all seats"], ["watch", "a spectator"], ...houses.map((house) => [house, name(house)])];
    refill(this.eyes, options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
  }

  /** The moment that is shown now, and the last one there is. */
  show(at, end, words) {
    this.#at = at;
    this.#end = end;
    this.range.max = end;
    this.range.value = at;
    this.range.setAttribute("aria-valuetext", words);
    refill(this.where, words);
    const [first, back, , next, last] = this.steps;
    first.disabled = back.disabled = at <= 0;
    next.disabled = last.disabled = at >= end;
  }

  play() {
    if (this.#at >= this.#end) this.go(0);
    this.#mark(true);
    this.#tick();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#mark(false);
  }

  #tick() {
    const pause = (this.loud(this.#at) ? LONG : SHORT) / this.#speed;
    this.#timer = setTimeout(() => {
      if (this.#at >= this.#end) {
        this.pause();
        return;
      }
      this.go(this.#at + 1);
      this.#tick();
    }, pause);
  }

  #mark(playing) {
    refill(this.toggle, playing ? "\u23f8" : "\u25b6");
    this.toggle.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.toggle.title = playing ? "Pause" : "Play";
  }

  #hand(act) {
    this.pause();
    act();
  }
}
