/** Press: talk to all at the table or to one house in private, with marks for what is unread. */

import { button, el, refill } from "../dom.js";
import { name } from "../facts.js";
import { mark } from "../board/icons.js";

const ALL = "all";
const LONGEST = 300;

export class TalkPanel {
  #said = [];
  #unread = {};
  #with = ALL;
  #houses = [];
  #me = null;

  /** `send(to, text)` says something and may throw a refusal; `unread(n)` hears how much is unread. */
  constructor(send, unread, kept) {
    this.unread = unread;
    this.threads = el("div", { class: "threads", role: "group", "aria-label": "Talk with" });
    this.list = el("ol", { class: "said" });
    this.refusal = el("p", { class: "refusal", role: "alert" });
    this.input = el("textarea", { rows: 2, maxlength: 1000, "aria-label": "Message", onkeydown: (event) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        this.form.requestSubmit();
      }
    } });
    this.form = el("form", { class: "say", onsubmit: (event) => { event.preventDefault(); this.#send(send); } },
      this.input, el("button", { class: "main" }, "Say"));
    this.node = el("section", { class: "talk", "aria-label": "Talk" }, this.threads,
      el("div", { role: "log", "aria-live": "polite", "aria-label": "Talk" }, this.list), this.form, this.refusal,
      el("p", { class: "hint" }, "What is said to all, those who watch hear too. The rest only those who are named."));
    this.#said = kept ?? [];
  }

  /** What is kept over a reload. */
  get said() {
    return this.#said;
  }

  /** Who sits at the table, and which of them is the viewer. */
  show({ houses = {}, you }) {
    const sitting = Object.keys(houses).filter((house) => houses[house].name);
    if (this.#me === (you?.house ?? "") && sitting.join() === this.#houses.join()) return;
    this.#houses = sitting;
    this.#me = you?.house ?? "";
    this.form.hidden = !you;
    this.#draw();
  }

  /** Takes a message; one that was heard before is passed over. */
  hear({ from, to, text, at }) {
    if (at <= this.#said.at(-1)?.at) return;
    const thread = this.#thread({ from, to });
    this.#said = [...this.#said, { from, to, text, at }].slice(-LONGEST);
    if (from !== this.#me && !(thread === this.#with && this.inSight?.())) this.#unread[thread] = (this.#unread[thread] ?? 0) + 1;
    this.#draw();
  }

  /** The viewer looks at the talk now. */
  seen() {
    delete this.#unread[this.#with];
    this.#draw();
  }

  #thread({ from, to }) {
    if (to === ALL) return ALL;
    return [from, ...to].filter((house) => house !== this.#me).sort().join("+") || this.#me;
  }

  #draw() {
    const threads = new Set([ALL, ...(this.#me ? this.#houses.filter((house) => house !== this.#me) : []), ...this.#said.map((each) => this.#thread(each))]);
    refill(this.threads, [...threads].map((thread) => button(
      [thread === ALL ? "All" : thread.split("+").map((house) => el("span", { class: `house h-${house}` }, mark(house), name(house))),
        this.#unread[thread] && el("b", { class: "unread", "aria-label": `${this.#unread[thread]} unread` }, this.#unread[thread])],
      () => { this.#with = thread; this.seen(); },
      { "aria-pressed": String(thread === this.#with), "data-thread": thread })));
    refill(this.list, this.#said.filter((each) => this.#thread(each) === this.#with).map(({ from, text, at }) =>
      el("li", { class: from === this.#me ? "own" : "" }, el("span", { class: `house h-${from}` }, mark(from), name(from)),
        el("time", {}, new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })), el("p", {}, text))));
    this.list.scrollTop = this.list.scrollHeight;
    this.unread(Object.values(this.#unread).reduce((sum, n) => sum + n, 0));
  }

  async #send(send) {
    const text = this.input.value;
    if (!text.trim()) return;
    refill(this.refusal);
    try {
      await send(this.#with === ALL ? ALL : this.#with.split("+"), text);
      this.input.value = "";
    } catch (error) {
      refill(this.refusal, error.message, " ", error.hint);
    }
  }
}
