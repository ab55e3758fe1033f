/** What the seats kept to themselves: what each is asked, and what it has answered in secret. */

import { el, refill } from "../dom.js";
import { name } from "../facts.js";
import { mark } from "../board/icons.js";
import { answerInWords, question } from "../prompts/question.js";

export class ScreensPanel {
  #shown = null;

  constructor() {
    this.node = el("section", { class: "screens", "aria-label": "Behind the screens" });
  }

  /** Shows a document of one seat, or of all seats. */
  show(view) {
    const seats = view.seats ?? (view.you?.house ? { [view.you.house]: view.you } : {});
    const told = Object.entries(seats).map(([house, you]) => [house, this.#words(you, view)]).filter(([, words]) => words.length);
    const state = JSON.stringify(Object.values(seats).map(({ prompt, answer, orders, plans }) => [prompt?.id, answer, orders, plans]));
    if (state === this.#shown) return;
    this.#shown = state;
    refill(this.node, el("h2", {}, "Behind the screens"),
      !told.length && el("p", { class: "hint" }, "Nobody keeps anything secret now, or not from these eyes."), told.map(([house, words]) =>
      el("div", { class: "screen" }, el("span", { class: `house h-${house}` }, mark(house), name(house)), words)));
  }

  #words(you, view) {
    const owes = you.prompt && view.waiting?.includes(you.house);
    return [owes && el("span", {}, question(you.prompt, view).title), you.answer && answerInWords(you),
      you.orders && el("span", {}, `${Object.keys(you.orders).length} orders laid, as on the board`)].filter(Boolean);
  }
}
