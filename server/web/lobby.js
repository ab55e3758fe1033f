/** The front page: make a table, come back to one, find one to join or watch. */

import { button, el, refill } from "./dom.js";
import { facts, name } from "./facts.js";
import { replayAddress, tableAddress } from "./join.js";
import { ended, forget, hosted, keepHosted, seats } from "./keys.js";
import { BOTS } from "./panels/host.js";
import { mark } from "./board/icons.js";

const AGAIN = 10_000;
/** So many finished games are listed. */
const FINISHED = 10;
const CLOCKS = {
  none: ["no clock", undefined],
  live: ["live: 15 minutes each, and a minute for every decision", { kind: "live", bank: 900, increment: 60 }],
  daily: ["daily: every decision is due by 18:00 UTC", { kind: "daily" }],
};
const PHASES = { lobby: "waiting for players", playing: "playing", over: "over" };

/** The page; it looks for tables as long as it is shown. */
export function lobby(wire) {
  const lists = Object.fromEntries(["open", "over"].map((id) => [id, el("ul", { class: "tables" }, el("li", { class: "hint" }, "Looking\u2026"))]));
  const page = el("main", { class: "page" },
    el("header", {},
      el("h1", {}, el("img", { src: "/web/icon.svg", alt: "", width: 40, height: 40 }), "Marchwarden"),
      el("p", { class: "lead" }, "A table for ", el("em", {}, "A Game of Thrones: The Board Game"),
        ", second edition. Make a table, send the links, play.")),
    el("div", { class: "columns" },
      el("section", { "aria-labelledby": "make" }, el("h2", { id: "make" }, "Make a table"), makeTable(wire)),
      el("section", { "aria-labelledby": "mine" }, el("h2", { id: "mine" }, "My tables"), mine()),
      el("div", { class: "stack" },
        el("section", { "aria-labelledby": "public" }, el("h2", { id: "public" }, "Public tables"), lists.open),
        el("section", { "aria-labelledby": "over" }, el("h2", { id: "over" }, "Finished games"), lists.over))),
    el("footer", {}, el("p", { class: "hint" }, "Programs play here too: ", el("a", { href: "/protocol" }, "the protocol"), ".")));
  look(wire, lists);
  return page;
}

async function look(wire, lists) {
  const rooms = async (phase) => (await wire.request({ type: "list_rooms", filter: { phase } })).rooms;
  try {
    const [waiting, playing, over] = await Promise.all(["lobby", "playing", "over"].map(rooms));
    const open = [...waiting, ...playing];
    refill(lists.open, open.length ? open.map(line) : el("li", { class: "hint" }, "None at the moment. Make one!"));
    refill(lists.over, over.length ? over.slice(0, FINISHED).map(line) : el("li", { class: "hint" }, "None is kept here."));
  } catch {
    // It is asked again below.
  }
  await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
  if (lists.open.isConnected) look(wire, lists);
}

function line({ room, players, phase, free, round }) {
  const state = round ? `round ${round}` : PHASES[phase] ?? phase;
  const over = phase === "over";
  return el("li", {},
    el("a", { href: over ? replayAddress(room, "all", 0) : tableAddress(room), class: "row" },
      el("strong", {}, room),
      el("span", { class: "end" }, over ? "replay" : free.length ? "join" : "watch"),
      el("span", { class: "about" }, `${players} players, ${state}`, free.length > 0 && !over && el("small", {}, ` \u2013 free: ${free.map(name).join(", ")}`))));
}

function mine() {
  const list = el("ul", { class: "tables" });
  function draw() {
    const tables = new Map();
    for (const { room, house, name: player } of seats()) tables.set(room, [...(tables.get(room) ?? []), { house, player }]);
    for (const { room } of hosted()) if (!tables.has(room)) tables.set(room, []);
    refill(list, tables.size ? [...tables].map(([room, held]) => entry(room, held)) : el("li", { class: "hint" }, "None yet."));
  }
  function entry(room, held) {
    const sits = held.map(({ house, player }) =>
      el("a", { href: tableAddress(room, house), class: `house h-${house}` }, mark(house), `${name(house)} (${player})`));
    return el("li", {}, el("span", { class: "row" },
      el("strong", {}, room),
      button("Forget", () => { forget(room); draw(); }, { class: "quiet end", "aria-label": `Forget table ${room}` }),
      sits.length ? sits : el("a", { href: tableAddress(room) }, "made by you"),
      ended().includes(room) && el("a", { href: replayAddress(room, "all", 0) }, "Replay")));
  }
  draw();
  return list;
}

function makeTable(wire) {
  const refusal = el("p", { class: "refusal", role: "alert", hidden: true });
  const counts = Object.keys(facts.seats);
  const players = el("select", { name: "players" }, counts.map((n) => el("option", { value: n, selected: n === counts.at(-1) }, n)));
  const who = el("p", { class: "hint" });
  const say = () => refill(who, facts.seats[players.value].map(name).join(", "));
  players.addEventListener("change", say);
  say();
  const box = (label, hint, checked) => {
    const input = el("input", { type: "checkbox", checked });
    return { input, node: el("label", { class: "box" }, input, el("span", {}, label, el("small", {}, hint))) };
  };
  const tides = box("Tides of Battle", "every combat draws a card of fate, too");
  const listed = box("List it for everybody", "otherwise only the links lead here");
  const clock = el("select", { name: "clock" }, Object.entries(CLOCKS).map(([id, [text]]) => el("option", { value: id }, text)));
  const bots = el("select", { name: "bots" });
  const kind = el("select", { name: "kind", "aria-label": "Kind of bot", hidden: true }, Object.entries(BOTS).map(([id, text]) => el("option", { value: id }, text)));
  const few = () => refill(bots, Array.from({ length: Number(players.value) }, (_, n) => el("option", { value: n }, n ? `${n}` : "none")));
  players.addEventListener("change", () => { few(); kind.hidden = true; });
  bots.addEventListener("change", () => { kind.hidden = bots.value === "0"; });
  few();
  const press = el("button", { class: "main" }, "Make the table");
  async function make(event) {
    event.preventDefault();
    press.disabled = true;
    const machines = Number(bots.value) ? { bots: Number(bots.value), bot_kind: kind.value } : {};
    const options = { tides: tides.input.checked, private: !listed.input.checked, clock: CLOCKS[clock.value][1], ...machines };
    try {
      const { room, host, invites } = await wire.request({ type: "create_room", players: Number(players.value), options });
      keepHosted({ room, host, invites });
      location.hash = tableAddress(room);
    } catch (error) {
      refill(refusal, error.message, " ", error.hint);
      refusal.hidden = false;
      press.disabled = false;
    }
  }
  return el("form", { class: "make", onsubmit: make },
    el("label", {}, "Players ", players), who, tides.node, listed.node, el("label", {}, "Bots ", bots, kind), el("label", {}, "Time ", clock), press, refusal);
}
