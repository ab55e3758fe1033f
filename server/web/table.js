/** A table: what the server tells goes into the replica, and from there into the board and the panels. */

import { button, el, refill } from "./dom.js";
import { name } from "./facts.js";
import { keep, kept, seat } from "./keys.js";
import { ask, mayAsk, turn } from "./notice.js";
import { Replica } from "./replica.js";
import { Board } from "./board/board.js";
import { CombatPanel } from "./panels/combat.js";
import { HousesPanel } from "./panels/houses.js";
import { LogPanel } from "./panels/log.js";
import { SeatsPanel } from "./panels/seats.js";
import { resultBox, RoundPanel, stateLine } from "./panels/state.js";
import { TalkPanel } from "./panels/talk.js";
import { VotesPanel } from "./panels/votes.js";
import { Desk } from "./prompts/desk.js";
import { question } from "./prompts/question.js";
import { mark, sign } from "./board/icons.js";

const TABS = { log: "Log", houses: "Houses", round: "Westeros", talk: "Talk" };

export class Table {
  #asked = 0;
  #tab = "log";

  constructor(wire, room, house) {
    this.wire = wire;
    this.room = room;
    this.house = house;
    this.token = house && seat(room, house)?.token;
    this.key = `table ${room} ${house ?? ""}`;
    const before = kept(this.key);
    this.replica = new Replica(before);
    this.board = new Board();
    this.desk = new Desk(room, this.board,
      (prompt, answer) => wire.request({ type: "answer", room, prompt, answer }),
      (prompt) => wire.request({ type: "retract", room, prompt }),
      () => Date.now() + wire.ahead);
    this.combat = new CombatPanel();
    this.seats = new SeatsPanel(wire, room);
    this.votes = new VotesPanel((on, yes) => wire.request({ type: "vote", room, on, yes }));
    this.panels = {
      log: new LogPanel(before?.events),
      houses: new HousesPanel(),
      round: new RoundPanel(),
      talk: new TalkPanel((to, text) => wire.request({ type: "say", room, to, text }), (n) => this.#unread(n), before?.said),
    };
    this.panels.talk.inSight = () => this.#tab === "talk" && !document.hidden;
    this.listeners = [[wire, "open", () => this.#enter()], [wire, "message", (event) => this.#take(event.detail)],
      [window, "pagehide", () => this.#keep()], [document, "visibilitychange", () => this.#look()]];
    for (const [target, type, listener] of this.listeners) target.addEventListener(type, listener);
    this.node = this.#build();
    if (house && !this.token) this.#stop("This browser does not hold that seat. Open the link of the seat, or watch.");
    else if (wire.state === "open") this.#enter();
    if (this.replica.seq !== null) this.#show([], false);
  }

  /** Goes away from the table; the seat stays the player's. */
  leave() {
    for (const [target, type, listener] of this.listeners) target.removeEventListener(type, listener);
    this.desk.leave();
    this.#keep();
    turn(null);
    if (this.wire.state === "open") this.wire.request({ type: "leave", room: this.room }).catch(() => {});
  }

  async #enter() {
    if (this.house && !this.token) return;
    const { seq } = this.replica;
    const heard = this.panels.talk.said.at(-1)?.at;
    try {
      await this.wire.request({
        type: "enter", room: this.room,
        ...(this.token && { token: this.token }), ...(seq && { since: seq }), ...(heard && { heard }),
      });
    } catch (error) {
      if (error.code !== "connection_lost") this.#stop(`${error.message} ${error.hint ?? ""}`);
    }
  }

  #take(message) {
    if (message.room !== this.room) return;
    if (message.type === "said") this.panels.talk.hear(message);
    else if (["snapshot", "update", "private", "presence"].includes(message.type)) {
      const whole = message.type === "snapshot";
      const news = this.replica.feed(message);
      if (news === "gap") this.#enter();
      else if (news === "new") this.#show(message.events ?? [], whole);
    }
  }

  #show(events, whole) {
    const { view } = this.replica;
    this.node.dataset.phase = view.phase;
    refill(this.state, stateLine(view), Desk.asked(view) && button("Your turn", () => this.desk.node.scrollIntoView({ block: "start" }), { class: "go" }));
    refill(this.result, resultBox(view));
    this.board.show(view);
    this.panels.log.add(events);
    this.panels.houses.show(view);
    this.panels.round.show(view);
    this.panels.talk.show(view);
    this.combat.show(view, events);
    this.seats.show(view);
    this.votes.show(view);
    this.desk.show(view);
    this.frozen.hidden = !view.frozen;
    for (const { type, house, from, moves, to } of events) {
      if (type === "marched") moves.forEach((move) => this.board.arrow(from, move.to, house));
      if (type === "retreated") this.board.arrow(from, to, house);
    }
    if (whole && !Desk.asked(view)) this.#overlook();
    this.#tellTurn(view);
  }

  /** Puts the player's own areas into sight, or everything. */
  #overlook() {
    const { areas = {}, you } = this.replica.view;
    this.board.look(Object.entries(areas).filter(([, part]) => you && part.owner === you.house).map(([area]) => area));
  }

  #tellTurn(view) {
    const asked = Desk.asked(view);
    const { id } = view.you?.prompt ?? {};
    turn(asked ? question(view.you.prompt, view).title : null, asked && id !== this.#asked);
    if (asked && id !== this.#asked) this.main.scrollTop = 0;
    if (asked) this.#asked = id;
    this.node.classList.toggle("asked", asked);
  }

  #keep() {
    if (this.replica.seq === null) return;
    const { view, seq } = this.replica;
    keep(this.key, { view, seq, events: this.panels.log.events, said: this.panels.talk.said });
  }

  #look() {
    if (document.hidden) this.#keep();
    else if (this.#tab === "talk") this.panels.talk.seen();
  }

  #stop(text) {
    refill(this.state, el("strong", { role: "alert" }, text), el("a", { href: "#/" }, "All tables"));
  }

  #unread(n) {
    this.tabs?.talk.classList.toggle("marked", n > 0);
    if (this.tabs) this.tabs.talk.textContent = n ? `${TABS.talk} (${n})` : TABS.talk;
  }

  #build() {
    this.state = el("div", { class: "state", "aria-live": "polite" }, "Entering\u2026");
    this.result = el("div", {});
    this.frozen = el("p", { class: "warning", hidden: true, role: "alert" }, "The server had a fault here: the game goes no further. Its operator has been told.");
    const notify = this.house && mayAsk() && button([sign("bell"), el("span", {}, "Tell me when it is my turn")],
      async () => { await ask(); notify.remove(); }, { class: "quiet bell", "aria-label": "Tell me when it is my turn" });
    this.tabs = Object.fromEntries(Object.entries(TABS).map(([id, text]) =>
      [id, button(text, () => this.#open(id), { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` })]));
    for (const [id, { node }] of Object.entries(this.panels)) {
      Object.entries({ role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` }).forEach(([key, value]) => node.setAttribute(key, value));
    }
    const seated = this.house && el("span", { class: `house h-${this.house}` }, mark(this.house), name(this.house));
    this.main = el("main", { class: "panels" }, this.frozen, this.result, this.seats.node, this.desk.node, this.combat.node,
      el("div", { class: "tabs", role: "tablist", onkeydown: (event) => this.#tabKey(event) }, Object.values(this.tabs)),
      Object.values(this.panels).map((panel) => panel.node));
    const node = el("div", { class: "table" },
      el("header", { class: "top" },
        el("a", { href: "#/", class: "home", title: "All tables" }, el("img", { src: "/web/icon.svg", alt: "All tables", width: 28, height: 28 })),
        el("span", { class: "room" }, this.room), seated ?? el("em", {}, "watching"), this.state, notify),
      this.board.node, this.main);
    this.panels.houses.node.after(this.votes.node);
    this.#open(this.#tab);
    return node;
  }

  #open(id) {
    this.#tab = id;
    for (const [each, tab] of Object.entries(this.tabs)) {
      tab.setAttribute("aria-selected", String(each === id));
      tab.setAttribute("tabindex", each === id ? 0 : -1);
      this.panels[each].node.hidden = each !== id;
    }
    this.votes.node.classList.toggle("away", id !== "houses");
    if (id === "talk") this.panels.talk.seen();
  }

  #tabKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const ids = Object.keys(TABS);
    this.#open(ids.at((ids.indexOf(this.#tab) + step) % ids.length));
    this.tabs[this.#tab].focus();
  }
}
