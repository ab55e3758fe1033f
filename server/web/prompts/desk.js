/** Where the seat is asked: the form of its open prompt, what it has answered in secret, or whom everybody waits for. */

import { button, el, refill } from "../dom.js";
import { keep, kept } from "../keys.js";
import { bid } from "./bid.js";
import { choose } from "./choose.js";
import { consolidate } from "./consolidate.js";
import { march } from "./march.js";
import { muster } from "./muster.js";
import { placeOrders } from "./place_orders.js";
import { raid } from "./raid.js";
import { rank } from "./rank.js";
import { raven } from "./raven.js";
import { remove } from "./remove.js";
import { answerInWords, question, timeLeft } from "./question.js";

/**
 * One form for each type of answer. It is given `ask` (see `#open`) and returns: `body`, `verb` (of the main button),
 * `answer()`, and perhaps `missing()` (why it cannot be sent yet), `others` (buttons: text and answer), `marks()`, `look`,
 * `laid()`, `plans()`, `pick(area)`, `key(area, key)`, `dragged()`, `discard()` (a button), `draft()`.
 */
const FORMS = { place_orders: placeOrders, raven, raid, march, consolidate, muster, bid, rank, remove, choose };

export class Desk {
  #places = new Map();
  #state = "";
  #form = null;
  #changing = null;

  /** `send(prompt, answer)` and `retract(prompt)` may throw a refusal; `now()` is the server's time. */
  constructor(room, board, send, retract, now = Date.now) {
    this.room = room;
    this.board = board;
    this.send = send;
    this.retract = retract;
    this.due = el("p", { class: "due", role: "timer" });
    this.ticking = setInterval(() => this.#tick(now()), 1000);
    this.node = el("section", { class: "desk", "aria-label": "Your turn", tabindex: -1 });
    this.refusal = el("p", { class: "refusal", role: "alert" });
  }

  /** Nobody looks at it any more. */
  leave() {
    clearInterval(this.ticking);
  }

  /** Whether the seat owes an answer now. */
  static asked(view) {
    const { you } = view;
    return Boolean(you?.prompt) && (view.waiting ?? []).includes(you.house);
  }

  /** Shows what the document asks; an open form stays as it is while its prompt does. */
  show(view) {
    this.view = view;
    const prompt = view.you?.prompt;
    const open = prompt && (Desk.asked(view) || this.#changing === prompt.id);
    const sealed = () => JSON.stringify([view.you.orders, view.you.plans, view.you.answer]);
    const state = prompt ? `${prompt.id} ${open ? "open" : sealed()}` : "none";
    if (state === this.#state && state !== "none") return;
    this.#state = state;
    const focused = this.node.contains(document.activeElement);
    this.#close();
    if (open) this.#open(prompt);
    else if (prompt) this.#sealed(prompt);
    else refill(this.node);
    this.node.hidden = !prompt;
    if (focused && prompt) this.node.focus();
  }

  #close() {
    this.#form = null;
    this.#places.clear();
    Object.assign(this.board, { pick: null, key: null, dragged: null });
    this.board.mark({});
    this.board.lay(null);
  }

  #open(prompt) {
    const { you } = this.view;
    const ask = {
      prompt,
      house: you.house,
      view: () => this.view,
      /** What was answered before, if the answer is to be changed; or what a reload interrupted. */
      before: you.answer ?? (you.orders && { orders: you.orders, plans: you.plans ?? {} }) ?? kept(this.#draftKey(prompt)),
      /** Says where a refusal of a part of the answer is to be shown. */
      place: (path, node) => { this.#places.set(path, node); return node; },
      changed: () => this.#changed(),
      submit: (answer) => this.#submit(answer),
    };
    const form = FORMS[prompt.answer](ask);
    this.#form = form;
    this.main = el("button", { class: "main" }, form.verb);
    this.discard = el("span", {});
    this.missing = el("p", { class: "hint", "aria-live": "polite" });
    const { title, about } = question(prompt, this.view);
    refill(this.node, el("form", { class: `form f-${prompt.answer}`, "data-prompt": prompt.id, onsubmit: (event) => { event.preventDefault(); this.#send(); } },
      el("h2", {}, title), this.due, about, form.body, this.refusal, this.missing,
      el("div", { class: "actions" }, this.main, this.discard, (form.others ?? []).map(([text, answer]) => button(text, () => this.#submit(answer), { class: "other" })),
        this.#changing && button("Leave it as it was", () => { this.#changing = null; this.show(this.view); }))));
    refill(this.refusal);
    this.board.pick = (area) => form.pick?.(area);
    this.board.key = (area, key) => form.key?.(area, key);
    refill(this.due);
    if (form.look?.length) this.board.look(form.look);
    this.#changed();
  }

  /** Shows how much time is left, where there is a clock. */
  #tick(now) {
    if (!this.due.isConnected) return;
    const { deadline } = this.view.you?.prompt ?? {};
    refill(this.due, deadline && timeLeft(deadline - now, deadline));
    this.due.classList.toggle("soon", deadline - now < 60_000);
  }

  #changed() {
    const form = this.#form;
    if (!form) return;
    const missing = form.missing?.() ?? "";
    refill(this.missing, missing);
    this.main.disabled = Boolean(missing);
    refill(this.discard, form.discard?.());
    this.board.mark(form.marks?.() ?? {});
    this.board.lay(form.laid?.() ?? null, form.plans?.() ?? null);
    this.board.dragged = form.dragged?.() ?? null;
    if (form.draft) keep(this.#draftKey(this.view.you.prompt), form.draft());
  }

  #send() {
    if (!this.main.disabled) this.#submit(this.#form.answer());
  }

  async #submit(answer) {
    const { prompt } = this.view.you;
    this.node.classList.add("sending");
    refill(this.refusal);
    try {
      await this.send(prompt.id, answer);
      this.#changing = null;
      keep(this.#draftKey(prompt), null);
      this.show(this.view);
    } catch (error) {
      if (this.view.you?.prompt?.id === prompt.id) this.#refuse(error);
    } finally {
      this.node.classList.remove("sending");
    }
  }

  /** Shows why an answer was refused, at the part that it concerns if that has a place. */
  #refuse({ message, hint, path = "", rules = [] }) {
    refill(this.refusal, el("strong", {}, message), hint && ` ${hint}`, rules.length > 0 && el("small", {}, ` (${rules.join(", ")})`));
    let at = path;
    while (at && !this.#places.get(at)?.isConnected) at = at.replace(/(\.[^.[]+|\[\d+\]|^[^.[]+)$/, "");
    const place = this.#places.get(at);
    if (place) place.after(this.refusal);
    else this.missing.before(this.refusal);
    this.refusal.scrollIntoView({ block: "nearest" });
  }

  #sealed(prompt) {
    const { title } = question(prompt, this.view);
    const change = () => { this.#changing = prompt.id; this.#state = ""; this.show(this.view); };
    const takeBack = async () => {
      try {
        await this.retract(prompt.id);
      } catch (error) {
        this.#refuse(error);
      }
    };
    this.missing = el("p", {});
    refill(this.refusal);
    refill(this.node, el("div", { class: "form sealed" }, el("h2", {}, title),
      el("p", {}, "Sent, and secret until all have answered."), answerInWords(this.view.you),
      this.missing, this.refusal,
      el("div", { class: "actions" }, button("Change it", change, { class: "main" }), button("Take it back", takeBack))));
  }

  #draftKey(prompt) {
    return `draft ${this.room} ${this.view.you.house} ${prompt.id}`;
  }
}
