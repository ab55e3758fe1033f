/** What happened, in plain words, with the rules behind each line; the newest is on top. */

import { button, el, refill } from "../dom.js";
import { facts, name, rules } from "../facts.js";
import { say } from "../words.js";

const LOUD = new Set(["wildling_battle", "neutral_destroyed", "neutral_held", "garrison_destroyed", "combat_decided", "conquered", "game_over", "game_started"]);
const HEADS = new Set(["round_began", "orders_revealed"]);
const LONGEST = 600;
/** So many lines are on the page at first, and as many more each time that older ones are asked for: each costs time to lay out. */
const LINES = 24;

export class LogPanel {
  /** All that is known: {seq, event}, or {seq, gap} where something before is missing. On the page are those from #from up to #to. */
  #told = [];
  #from = 0;
  #to = 0;
  #most = LINES;
  #pattern = null;

  /** `kept` is what `told` gave before; at most `longest` lines are kept; `address(seq)` leads to a moment, if any can be led to. */
  constructor({ kept = [], longest = LONGEST, address } = {}) {
    Object.assign(this, { longest, address });
    this.list = el("ol", { class: "log" });
    this.rule = el("aside", { class: "rule", "aria-live": "polite", hidden: true });
    this.older = button("Older", () => { this.#most += LINES; this.#show(this.#to); }, { hidden: true });
    this.start = el("p", { class: "hint log-start" });
    this.node = el("section", { class: "log-panel", "aria-label": "Log" }, this.rule,
      el("p", { class: "hint" }, "The newest is on top. The small signs name the rules."),
      el("div", { role: "log", "aria-live": "polite", "aria-label": "What happened" }, this.list), this.older, this.start);
    this.#told = kept;
    this.#show(kept.length);
    if (kept.length) this.since(kept[0].seq);
  }

  /** What is kept over a reload, in order. */
  get told() {
    return this.#told;
  }

  /** Tells the events of a change, which comes after all that were told. */
  add(events, seq) {
    this.#add(events.map((event) => ({ seq, event })));
  }

  /** Says that something before this change is not told. */
  gap(seq) {
    if (this.#told.length) this.#add([{ seq, gap: true }]);
  }

  /** Tells changes, in order, that came before all that were told. */
  before(changes) {
    const told = changes.flatMap(({ seq, events = [] }) => events.map((event) => ({ seq, event })));
    this.#told = [...told, ...this.#told];
    this.#from += told.length;
    this.#to += told.length;
    this.#show(this.#to);
  }

  /** Says since when the log tells all: it does not know what was before this change. */
  since(seq) {
    refill(this.start, seq > 2 ? `Here the log begins, with change ${seq}. All of it can be seen when the game is over.` : "");
  }

  /** Tells a log that is known in whole up to a change only. */
  until(seq) {
    const after = this.#told.findIndex((each) => each.seq > seq);
    this.#show(after < 0 ? this.#told.length : after);
  }

  /** Takes more without telling it yet. */
  know(events, seq) {
    for (const event of events) this.#told.push({ seq, event });
  }

  #add(more) {
    this.#told = [...this.#told, ...more];
    const over = Math.max(0, this.#told.length - this.longest);
    this.#show(this.#told.length);
    this.#told = this.#told.slice(over);
    this.#from -= over;
    this.#to -= over;
  }

  /** Puts those up to a place on the page, with as many before them as are wanted. */
  #show(to) {
    const from = Math.max(0, to - this.#most);
    if (to <= this.#from || from >= this.#to) {
      refill(this.list);
      this.#from = this.#to = to;
    }
    while (this.#to > to) {
      this.list.firstChild.remove();
      this.#to--;
    }
    while (this.#to < to) this.list.prepend(this.#line(this.#told[this.#to++]));
    while (this.#from > from) this.list.append(this.#line(this.#told[--this.#from]));
    while (this.#from < from) {
      this.list.lastChild.remove();
      this.#from++;
    }
    this.older.hidden = from === 0;
  }

  #line({ event, seq, gap }) {
    if (gap) return el("li", { class: "hint", "data-seq": seq }, "What happened while the page was away is not told here.");
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
