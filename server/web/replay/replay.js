/** A game that is over, to be looked at again: any moment, through anybody's eyes. */

import { el, refill } from "../dom.js";
import { name } from "../facts.js";
import { replayAddress, tableAddress } from "../join.js";
import { seat } from "../keys.js";
import { Board } from "../board/board.js";
import { CombatPanel } from "../panels/combat.js";
import { HousesPanel } from "../panels/houses.js";
import { LogPanel } from "../panels/log.js";
import { ScreensPanel } from "../panels/screens.js";
import { resultBox, RoundPanel, stateLine } from "../panels/state.js";
import { Tabs } from "../panels/tabs.js";
import { Bar } from "./bar.js";
import { Reel } from "./reel.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1 };

export class Replay {
  #at = 0;
  #drawn = -1;
  #frame = 0;
  #reel = null;
  #listed = 0;

  /** `viewer` is a house, "all" or "watch"; `at` the moment to begin with. */
  constructor(wire, room, viewer, at) {
    Object.assign(this, { wire, room, viewer: viewer || "all" });
    this.#at = Number(at) || 0;
    this.board = new Board();
    this.combat = new CombatPanel();
    this.screens = new ScreensPanel();
    this.panels = { log: this.#newLog(), houses: new HousesPanel(), round: new RoundPanel(), screens: this.screens };
    this.bar = new Bar({
      go: (at) => this.#go(at),
      round: (way) => this.#go(this.#reel.round(this.#at, way)),
      look: (viewer) => this.#look(viewer),
      loud: (at) => this.#reel.moments[at]?.events.length > 0,
      link: () => navigator.clipboard.writeText(location.href),
    });
    this.listener = (event) => this.#key(event);
    document.addEventListener("keydown", this.listener);
    this.node = this.#build();
    this.board.look([]);
    this.#load();
  }

  leave() {
    document.removeEventListener("keydown", this.listener);
    this.bar.pause();
    this.#reel = null;
  }

  #newLog() {
    return new LogPanel({ longest: Infinity, address: (seq) => replayAddress(this.room, this.viewer, seq) });
  }

  async #load() {
    const ask = (more) => this.wire.request({ type: "replay", room: this.room, ...more });
    const reel = new Reel(ask, this.viewer === "watch" ? undefined : this.viewer);
    const wanted = () => this.#reel === reel;
    this.#reel = reel;
    this.#listed = 0;
    const load = () => reel.load((moments) => this.#came(moments), wanted);
    try {
      await load().catch((refusal) => this.#open(refusal).then(load));
    } catch (refusal) {
      if (wanted()) this.#stop(refusal);
    }
  }

  /** A table that was closed before its end shows a seat's secrets to that seat alone: say that we are it. */
  async #open(refusal) {
    const { token } = seat(this.room, this.viewer) ?? {};
    if (refusal.code !== "forbidden" || !token) throw refusal;
    await this.wire.request({ type: "enter", room: this.room, token });
  }

  #came(moments) {
    const { log } = this.panels;
    for (const { seq, events } of moments) log.know(events, seq);
    if (this.#listed === 0) this.bar.viewers(Object.keys(moments[0].view.houses), this.viewer);
    this.#listed += moments.length;
    // What is asked for may be on a page that is still to come.
    if (this.#reel.whole || this.#at <= this.#reel.end) this.#go(this.#at);
  }

  #go(at) {
    if (!this.#reel?.moments.length) return;
    this.#at = Math.min(Math.max(at, 0), this.#reel.end);
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#reel) this.#show();
    });
  }

  #show() {
    const { view, events, seq } = this.#reel.moments[this.#at];
    const step = this.#at === this.#drawn + 1;
    this.node.dataset.phase = view.phase;
    this.node.dataset.seq = seq;
    refill(this.state, stateLine(view));
    refill(this.result, resultBox(view));
    this.board.show(view);
    if (!step) this.board.clear();
    for (const event of events) this.board.happened(event);
    this.panels.log.until(seq);
    this.#showTab();
    this.combat.jump(view, this.#reel.moments, this.#at);
    this.#drawn = this.#at;
    const where = [view.round && `Round ${view.round}`, name(view.phase === "action" ? view.step ?? view.phase : view.phase)].filter(Boolean).join(", ");
    this.bar.show(this.#at, this.#reel.end, `${where} \u2013 ${seq} of ${this.#reel.end}${this.#reel.whole ? "" : "\u2026"}`);
    history.replaceState(null, "", replayAddress(this.room, this.viewer, seq));
  }

  /** Panels out of sight are drawn when they are looked at. */
  #showTab() {
    const moment = this.#reel?.moments[this.#at];
    if (moment && this.tabs.chosen !== "log") this.panels[this.tabs.chosen].show(moment.view);
  }

  #look(viewer) {
    this.bar.pause();
    this.viewer = viewer;
    this.#drawn = -1;
    const log = this.#newLog();
    log.node.hidden = this.panels.log.node.hidden;
    this.tabs.replace("log", log);
    this.panels.log = log;
    this.#load();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input:not([type=range]), textarea, [role=tablist]")) return;
    const onBoard = event.target.closest(".hit");
    if (event.key in KEYS && !onBoard && event.target !== this.bar.range) this.#step(KEYS[event.key]);
    else if (event.key === "PageUp" || event.key === "PageDown") this.#move(this.#reel.round(this.#at, event.key === "PageUp" ? -1 : 1));
    else if (event.key === "Home" || event.key === "End") this.#move(event.key === "Home" ? 0 : this.#reel.end);
    else if (event.key === " " && !event.target.closest("button, a, summary, .hit")) this.bar.toggle.click();
    else return;
    event.preventDefault();
  }

  #step(way) {
    this.#move(this.#at + way);
  }

  #move(at) {
    this.bar.pause();
    this.#go(at);
  }

  #stop({ message, hint, code }) {
    refill(this.state, el("strong", { role: "alert" }, `${message} ${hint ?? ""}`),
      code === "not_over" && el("a", { href: tableAddress(this.room) }, "Watch it"), el("a", { href: "#/" }, "All tables"));
  }

  #build() {
    this.state = el("div", { class: "state" }, "Loading\u2026");
    this.result = el("div", {});
    this.tabs = new Tabs({ log: "Log", houses: "Houses", round: "Westeros", screens: "Secrets" }, this.panels, () => this.#showTab());
    this.main = el("main", { class: "panels" }, this.result, this.combat.node, this.tabs.node, this.tabs.panels);
    return el("div", { class: "table replay" },
      el("header", { class: "top" },
        el("a", { href: "#/", class: "home", title: "All tables" }, el("img", { src: "/web/icon.svg", alt: "All tables", width: 28, height: 28 })),
        el("span", { class: "room" }, this.room), el("em", {}, "replay"), this.state),
      this.board.node, this.bar.node, this.main);
  }
}
