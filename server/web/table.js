/** A table: what the server tells goes into the replica, and from there into the board and the panels. */

import { button, el, refill } from "./dom.js";
import { name } from "./facts.js";
import { switches, turn } from "./alerts.js";
import { replayAddress } from "./join.js";
import { keep, keepEnded, kept, seat } from "./keys.js";
import { Replica } from "./replica.js";
import { Board } from "./board/board.js";
import { CombatPanel } from "./panels/combat.js";
import { HostPanel } from "./panels/host.js";
import { HousesPanel } from "./panels/houses.js";
import { LogPanel } from "./panels/log.js";
import { SeatsPanel } from "./panels/seats.js";
import { resultBox, RoundPanel, stateLine } from "./panels/state.js";
import { Tabs } from "./panels/tabs.js";
import { TalkPanel } from "./panels/talk.js";
import { VotesPanel } from "./panels/votes.js";
import { Desk } from "./prompts/desk.js";
import { question } from "./prompts/question.js";
import { mark } from "./board/icons.js";

const TABS = { log: "Log", houses: "Houses", round: "Westeros", talk: "Talk" };
/** So many changes before its own arrival a page asks for, for its log: the server has them at hand. */
const BEFORE = 60;

export class Table {
  #asked = 0;
  /** The changes that were before the snapshot, while they come: {seq, events}. */
  #past = null;
  /** What is not drawn yet, {events, whole, seq}, and the frame that will do it. */
  #news = [];
  #frame = 0;

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
    this.host = new HostPanel((request) => wire.request({ ...request, room }), room);
    this.host.changed = () => this.#seating();
    this.panels = {
      log: new LogPanel({ kept: before?.told }),
      houses: new HousesPanel(),
      round: new RoundPanel(),
      talk: new TalkPanel((to, text) => wire.request({ type: "say", room, to, text }), (n) => this.#unread(n), before?.said),
    };
    this.panels.talk.inSight = () => this.tabs.chosen === "talk" && !document.hidden;
    this.listeners = [[wire, "open", () => this.#enter()], [wire, "message", (event) => this.#take(event.detail)],
      [window, "pagehide", () => this.#keep()], [document, "visibilitychange", () => this.#look()]];
    for (const [target, type, listener] of this.listeners) target.addEventListener(type, listener);
    this.node = this.#build();
    if (house && !this.token) this.#stop("This browser does not hold that seat. Open the link of the seat, or watch.");
    else if (wire.state === "open") this.#enter();
    if (this.replica.seq === null) return;
    this.combat.show(this.replica.view, this.panels.log.told.flatMap(({ event }) => event ?? []));
    this.#show([], false);
  }

  /** Goes away from the table; the seat stays the player's. */
  leave() {
    for (const [target, type, listener] of this.listeners) target.removeEventListener(type, listener);
    this.desk.leave();
    this.#keep();
    turn(null);
    if (this.wire.state === "open") this.wire.request({ type: "leave", room: this.room }).catch(() => {});
  }

  async #enter(since = this.replica.seq) {
    if (this.house && !this.token) return;
    const heard = this.panels.talk.said.at(-1)?.at;
    try {
      await this.wire.request({
        type: "enter", room: this.room,
        ...(this.token && { token: this.token }), ...(since && { since }), ...(heard && { heard }),
      });
    } catch (error) {
      if (error.code !== "connection_lost") this.#stop(`${error.message} ${error.hint ?? ""}`);
    }
  }

  #take(message) {
    if (message.room !== this.room) return;
    if (message.type === "said") this.panels.talk.hear(message);
    else if (["snapshot", "update", "private", "presence"].includes(message.type)) this.#follow(message);
  }

  #follow(message) {
    const whole = message.type === "snapshot";
    const { seq } = this.replica;
    const news = this.replica.feed(message);
    if (news === "gap") this.#enter();
    if (whole && seq !== null && message.seq > seq) {
      this.#draw();
      this.panels.log.gap(message.seq);
    }
    if (news === "new") this.#show(message.events ?? [], whole);
    if (news === "old" && message.type === "update") this.#past?.changes.push(message);
    if (this.#past?.asked && (whole || message.type === "presence")) this.#tellPast();
    else if (whole) this.#lookBack();
  }

  /** Asks for what happened shortly before, if the log knows nothing: those updates, and then who is present, or a snapshot. */
  async #lookBack() {
    const { seq } = this.replica;
    if (this.panels.log.told.length || this.#past || seq <= 1) return;
    this.#past = { last: seq, changes: [], asked: false };
    await this.#enter(Math.max(1, seq - BEFORE));
    this.#past.asked = true;
  }

  #tellPast() {
    const { last, changes } = this.#past;
    const before = changes.filter(({ seq }) => seq <= last);
    this.panels.log.before(before);
    this.panels.log.since(before[0]?.seq ?? last + 1);
    this.#past = null;
  }

  /** Takes news; what came since the last frame is drawn in one go. The first is drawn at once, as all is where nobody looks: there are no frames. */
  #show(events, whole) {
    this.#news.push({ events, whole, seq: this.replica.seq });
    this.#tellTurn(this.replica.view);
    if (document.hidden || !this.node.dataset.phase) this.#draw();
    else this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const news = this.#news.splice(0);
    if (!news.length) return;
    const { view } = this.replica;
    const events = news.flatMap((each) => each.events);
    this.node.dataset.phase = view.phase;
    refill(this.state, stateLine(view), Desk.asked(view) && button("Your turn", () => this.desk.node.scrollIntoView({ block: "start" }), { class: "go" }));
    refill(this.result, resultBox(view, this.#again(view)));
    this.board.show(view);
    news.forEach((each) => this.panels.log.add(each.events, each.seq));
    this.panels.talk.show(view);
    this.#showTab();
    this.combat.show(view, events);
    this.#seating();
    this.votes.show(view);
    this.desk.show(view);
    this.frozen.hidden = !view.frozen;
    events.forEach((event) => this.board.happened(event));
    if (view.phase === "over") keepEnded(this.room);
    if (news.some(({ whole }) => whole) && !Desk.asked(view)) this.#overlook();
  }

  #seating() {
    this.seats.show(this.replica.view);
    this.host.show(this.replica.view);
  }

  /** The way to the replay, once the game is over. */
  #again({ phase, result }) {
    const viewer = result ? "all" : this.house ?? "watch";
    return phase === "over" && el("p", {}, el("a", { href: replayAddress(this.room, viewer, 0) }, "See the game again, step by step"));
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
    this.#draw();
    if (this.replica.seq === null) return;
    const { view, seq } = this.replica;
    keep(this.key, { view, seq, told: this.panels.log.told, said: this.panels.talk.said });
  }

  #look() {
    if (document.hidden) this.#keep();
    else if (this.tabs.chosen === "talk") this.panels.talk.seen();
  }

  #stop(text) {
    refill(this.state, el("strong", { role: "alert" }, text), el("a", { href: "#/" }, "All tables"));
  }

  #unread(n) {
    this.tabs?.count("talk", n);
  }

  #build() {
    this.state = el("div", { class: "state", "aria-live": "polite" }, "Entering\u2026");
    this.result = el("div", {});
    this.frozen = el("p", { class: "warning", hidden: true, role: "alert" }, "The server had a fault here: the game goes no further. Its operator has been told.");
    this.tabs = new Tabs(TABS, this.panels, (id) => this.#opened(id));
    const seated = this.house && el("span", { class: `house h-${this.house}` }, mark(this.house), name(this.house));
    this.main = el("main", { class: "panels" }, this.frozen, this.result, this.seats.node, this.desk.node, this.combat.node,
      this.tabs.node, this.tabs.panels, this.votes.node, this.host.node);
    const node = el("div", { class: "table" },
      el("header", { class: "top" },
        el("a", { href: "#/", class: "home", title: "All tables" }, el("img", { src: "/web/icon.svg", alt: "All tables", width: 28, height: 28 })),
        el("span", { class: "room" }, this.room), seated ?? el("em", {}, "watching"), this.state, this.house && switches()),
      this.board.node, this.main);
    return node;
  }

  /** Panels out of sight are drawn when they are looked at. */
  #showTab() {
    if (["houses", "round"].includes(this.tabs.chosen)) this.panels[this.tabs.chosen].show(this.replica.view);
  }

  #opened(id) {
    if (this.tabs) this.#showTab();
    for (const { node } of [this.votes, this.host]) node.classList.toggle("away", id !== "houses");
    if (id === "talk") this.panels.talk.seen();
  }
}
