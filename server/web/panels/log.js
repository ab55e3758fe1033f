/** What happened, in plain words, with the rules behind each line. */

import { button, el, refill } from "../dom.js";
import { facts, name, rules } from "../facts.js";
import { say } from "../words.js";

const LOUD = new Set(["wildling_battle", "neutral_destroyed", "neutral_held", "garrison_destroyed", "combat_decided", "conquered", "game_over", "game_started"]);
const HEADS = new Set(["round_began", "orders_revealed"]);
const LONGEST = 600;

export class LogPanel {
  #events = [];
  #pattern = null;

  constructor(kept) {
    this.list = el("ol", { class: "log", role: "log", "aria-live": "polite", "aria-label": "What happened" });
    this.rule = el("aside", { class: "rule", "aria-live": "polite", hidden: true });
    this.node = el("section", { class: "log-panel", "aria-label": "Log" }, this.rule, this.list,
      el("p", { class: "hint" }, "The newest is on top. The small signs name the rules."));
    if (kept) this.add(kept);
    else this.list.append(el("li", { class: "hint" }, "What happens from now on is told here."));
  }

  /** What is kept over a reload. */
  get events() {
    return this.#events;
  }

  /** Tells events, in order. */
  add(events) {
    this.#events = [...this.#events, ...events].slice(-LONGEST);
    events.forEach((event) => this.list.prepend(this.#line(event)));
    while (this.list.children.length > LONGEST) this.list.lastChild.remove();
  }

  #line(event) {
    const kind = HEADS.has(event.type) ? "head" : LOUD.has(event.type) ? "loud" : "";
    const orders = event.type === "orders_revealed" && el("details", { class: "orders-told" },
      el("summary", {}, "All of them"), Object.entries(event.orders).map(([area, order]) => `${name(area)}: ${name(order)}`).join("; "));
    return el("li", { class: kind, "data-event": event.type }, this.#coloured(say(event)), orders,
      (event.rules ?? []).map((id) => button(id, () => this.#tell(id), { class: "rule-id", "aria-label": `Rule ${id}` })));
  }

  /** Text in which the names of houses have their colour. */
  #coloured(text) {
    this.#pattern ??= new RegExp(`\\b(${facts.houses.map(name).join("|")})\\b`);
    return text.split(this.#pattern).map((part, k) => (k % 2 ? el("span", { class: `named h-${part.toLowerCase()}` }, part) : part));
  }

  async #tell(id) {
    const text = (await rules())[id] ?? "This rule is not in the book.";
    refill(this.rule, el("p", {}, el("strong", {}, id), " ", text), button("Close", () => { this.rule.hidden = true; }, { class: "quiet" }));
    this.rule.hidden = false;
    this.rule.scrollIntoView({ block: "nearest" });
  }
}
