/** What all players together may decide: to take the last decision back, to pause, to give more time. */

import { button, el, refill } from "../dom.js";
import { name } from "../facts.js";

export class VotesPanel {
  #shown = "";

  /** `vote(on, yes)` is for something, or no longer; it may throw a refusal. */
  constructor(vote) {
    this.vote = vote;
    this.node = el("section", { class: "votes away", "aria-label": "Votes" });
    this.refusal = el("p", { class: "refusal", role: "alert" });
  }

  show({ phase, you, votes = {}, paused, options = {} }) {
    const open = Boolean(you) && !["lobby", "over"].includes(phase);
    const clocks = options.clock ? (paused ? { resume: "Let the clocks go on" } : { pause: "Pause the clocks", extend: "Give more time" }) : {};
    const choices = { undo: "Take the last decision back", ...clocks };
    const state = JSON.stringify([open, you?.house, votes, choices]);
    if (state === this.#shown) return;
    this.#shown = state;
    this.node.hidden = !open;
    refill(this.node, el("h3", {}, "All together"),
      el("p", { class: "hint" }, "It happens when all who play are for it."),
      Object.entries(choices).map(([on, text]) => {
        const yes = (votes[on] ?? []).includes(you?.house);
        return el("p", {}, button(text, () => this.#send(on, !yes), { "aria-pressed": String(yes) }),
          votes[on] && el("span", { class: "hint" }, ` for it: ${votes[on].map(name).join(", ")}`));
      }), this.refusal);
  }

  async #send(on, yes) {
    refill(this.refusal);
    try {
      await this.vote(on, yes);
    } catch (error) {
      refill(this.refusal, error.message, " ", error.hint);
    }
  }
}
