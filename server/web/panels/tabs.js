/** Panels of which one is in sight, and the tabs to choose it by. */

import { button, el, refill } from "../dom.js";

export class Tabs {
  #texts;
  #tabs;
  #panels;

  /** `texts` and `panels` by id; `opened(id)` hears of a choice. The first one is in sight. */
  constructor(texts, panels, opened = () => {}) {
    this.#texts = texts;
    this.#panels = panels;
    this.opened = opened;
    this.#tabs = Object.fromEntries(Object.entries(texts).map(([id, text]) =>
      [id, button(text, () => this.open(id), { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` })]));
    this.node = el("div", { class: "tabs", role: "tablist", onkeydown: (event) => this.#key(event) }, Object.values(this.#tabs));
    for (const [id, panel] of Object.entries(panels)) label(id, panel.node);
    this.open(Object.keys(texts)[0]);
  }

  /** The nodes of the panels, to be put under the tabs. */
  get panels() {
    return Object.values(this.#panels).map((panel) => panel.node);
  }

  open(id) {
    this.chosen = id;
    for (const [each, tab] of Object.entries(this.#tabs)) {
      tab.setAttribute("aria-selected", String(each === id));
      tab.setAttribute("tabindex", each === id ? 0 : -1);
      this.#panels[each].node.hidden = each !== id;
    }
    this.opened(id);
  }

  /** Puts another panel in the place of one. */
  replace(id, panel) {
    label(id, panel.node);
    this.#panels[id].node.replaceWith(panel.node);
    this.#panels[id] = panel;
  }

  /** Puts a number behind the name of a tab, or none. */
  count(id, n) {
    this.#tabs[id].classList.toggle("marked", n > 0);
    refill(this.#tabs[id], n ? `${this.#texts[id]} (${n})` : this.#texts[id]);
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const ids = Object.keys(this.#texts);
    this.open(ids.at((ids.indexOf(this.chosen) + step) % ids.length));
    this.#tabs[this.chosen].focus();
  }
}

function label(id, node) {
  Object.entries({ role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }).forEach(([key, value]) => node.setAttribute(key, value));
}
