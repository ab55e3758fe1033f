/** What happened, in plain words, with the rules behind each line; the newest is on top. */

import { button, el, refill } from "../dom.js";
import { facts, name, rules } from "../facts.js";
import { say } from "../words.js";

const LOUD = new Set(["wildling_battle", "neutral_destroyed", "neutral_held", "garrison_destroyed", "combat_decided", "conquered", "game_over", "game_started"]);
const HEADS = new Set(["round_began", "orders_revealed"]);
const LONGEST = 600;

export class LogPanel {
  #told = [];
  #pattern = null;

  /** `kept` is what `told` gave before; at most `longest` lines are kept; `address(seq)` leads to a moment, if any can be led to. */
  constructor({ kept = [], longest = LONGEST, address } = {}) {
    Object.assign(this, { longest, address });
    this.list = el("ol", { class: "log" });
    this.rule = el("aside", { class: "rule", "aria-live": "polite", hidden: true });
    this.start = el("p", { class: "hint log-start" });
    this.node = el("section", { class: "log-panel", "aria-label": "Log" }, this.rule,
      el("p", { class: "hint" }, "The newest is on top. The small signs name the rules."),
      el("div", { role: "log", "aria-live": "polite", "aria-label": "What happened" }, this.list), this.start);
    for (const { seq, event } of kept) this.add([event], seq);
    if (kept.length) this.since(kept[0].seq);
  }

  /** What is kept over a reload: {seq, event}, in order. */
  get told() {
    return this.#told;
  }

  /** Tells the events of a change, which comes after all that were told. */
  add(events, seq) {
    for (const event of events) {
      this.#told.push({ seq, event });
      this.list.prepend(this.#line(event, seq));
    }
    while (this.#told.length > this.longest) {
      this.#told.shift();
      this.list.lastChild.remove();
    }
  }

  /** Tells changes, in order, that came before all that were told. */
  before(changes) {
    const told = changes.flatMap(({ seq, events }) => events.map((event) => ({ seq, event })));
    this.#told = [...told, ...this.#told];
    this.list.append(...told.toReversed().map(({ seq, event }) => this.#line(event, seq)));
  }

  /** Says since when the log tells all: it does not know what was before this change. */
  since(seq) {
    refill(this.start, seq > 2 ? `Here the log begins, with change ${seq}. All of it can be seen when the game is over.` : "");
  }

  /** Says that something before this change is not told. */
  gap(seq) {
    if (this.#told.length) this.list.prepend(el("li", { class: "hint", "data-seq": seq }, "What happened while the page was away is not told here."));
  }

  /** Hides what came after a change. */
  until(seq) {
    for (const line of this.list.children) line.hidden = line.dataset.seq > seq;
  }

  #line(event, seq) {
    const kind = HEADS.has(event.type) ? "head" : LOUD.has(event.type) ? "loud" : "";
    const orders = event.type === "orders_revealed" && el("details", { class: "orders-told" },
      el("summary", {}, "All of them"), Object.entries(event.orders).map(([area, order]) => `${name(area)}: ${name(order)}`).join("; "));
    return el("li", { class: kind, "data-event": event.type, "data-seq": seq },
      this.address && el("a", { href: this.address(seq), class: "moment", "aria-label": `Moment ${seq}` }, seq),
      this.#coloured(say(event)), orders,
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
