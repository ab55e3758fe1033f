/** The front page: make a table, come back to one, find one to join or watch. */

import { button, el, refill } from "./dom.js";
import { facts, name } from "./facts.js";
import { tableAddress } from "./join.js";
import { forget, hosted, keepHosted, seats } from "./keys.js";
import { mark } from "./board/icons.js";

const AGAIN = 10_000;
const CLOCKS = {
  none: ["no clock", undefined],
  live: ["live: 15 minutes each, and a minute for every decision", { kind: "live", bank: 900, increment: 60 }],
  daily: ["daily: every decision is due by 18:00 UTC", { kind: "daily" }],
};
const PHASES = { lobby: "waiting for players", playing: "playing", over: "over" };

/** The page; it looks for tables as long as it is shown. */
export function lobby(wire) {
  const list = el("ul", { class: "tables" }, el("li", { class: "hint" }, "Looking\u2026"));
  const page = el("main", { class: "page" },
    el("header", {},
      el("h1", {}, el("img", { src: "/web/icon.svg", alt: "", width: 40, height: 40 }), "Marchwarden"),
      el("p", { class: "lead" }, "A table for ", el("em", {}, "A Game of Thrones: The Board Game"),
        ", second edition. Make a table, send the links, play.")),
    el("div", { class: "columns" },
      el("section", { "aria-labelledby": "make" }, el("h2", { id: "make" }, "Make a table"), makeTable(wire)),
      el("section", { "aria-labelledby": "mine" }, el("h2", { id: "mine" }, "My tables"), mine()),
      el("section", { "aria-labelledby": "public" }, el("h2", { id: "public" }, "Public tables"), list)),
    el("footer", {}, el("p", { class: "hint" }, "Programs play here too: ", el("a", { href: "/protocol" }, "the protocol"), ".")));
  look(wire, list);
  return page;
}

async function look(wire, list) {
  try {
    const { rooms } = await wire.request({ type: "list_rooms" });
    refill(list, rooms.length ? rooms.map(line) : el("li", { class: "hint" }, "None at the moment. Make one!"));
  } catch {
    // It is asked again below.
  }
  await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
  if (list.isConnected) look(wire, list);
}

function line({ room, players, phase, free, round }) {
  const state = phase === "playing" ? `round ${round}` : PHASES[phase] ?? phase;
  return el("li", {},
    el("a", { href: tableAddress(room), class: "row" },
      el("strong", {}, room),
      el("span", {}, `${players} players, ${state}`),
      el("span", { class: "free" }, free.length ? `free: ${free.map(name).join(", ")}` : "watch")));
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
      sits.length ? sits : el("a", { href: tableAddress(room) }, "made by you"),
      button("Forget", () => { forget(room); draw(); }, { class: "quiet", "aria-label": `Forget table ${room}` })));
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
  // Bots for the seats that stay empty will be chosen here.
  const press = el("button", { class: "main" }, "Make the table");
  async function make(event) {
    event.preventDefault();
    press.disabled = true;
    const options = { tides: tides.input.checked, private: !listed.input.checked, clock: CLOCKS[clock.value][1] };
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
    el("label", {}, "Players ", players), who, tides.node, listed.node, el("label", {}, "Time ", clock), press, refusal);
}
