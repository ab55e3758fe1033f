/** Starts the page and shows the place that the address names. Whatever is secret there stays behind the #. */

import { button, el, refill } from "./dom.js";
import { load } from "./facts.js";
import { join } from "./join.js";
import { lobby } from "./lobby.js";
import { Replay } from "./replay/replay.js";
import { Table } from "./table.js";
import { Wire } from "./wire.js";

const STATES = { connecting: "Connecting\u2026", lost: "The connection is lost. The page is coming back by itself\u2026" };

const banner = el("p", { class: "banner", role: "status", hidden: true });
const place = el("div", { class: "place" });
let shown = null;

async function start() {
  document.body.append(banner, place);
  const wire = new Wire(`${location.protocol.replace("http", "ws")}//${location.host}/ws`);
  wire.addEventListener("state", () => tell(wire));
  await load();
  addEventListener("hashchange", () => show(wire));
  show(wire);
}

/** Says that the connection is away, once it has been for a moment. */
function tell(wire) {
  document.documentElement.dataset.wire = wire.state;
  if (wire.state !== "open") refill(banner, STATES[wire.state], button("Try now", () => dispatchEvent(new Event("online"))));
  setTimeout(() => { banner.hidden = wire.state === "open"; }, wire.state === "open" ? 0 : 700);
}

function show(wire) {
  shown?.leave();
  shown = null;
  const [kind, room, house, rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  if (kind === "table" && room) {
    shown = new Table(wire, room, house);
    refill(place, shown.node);
  } else if (kind === "replay" && room) {
    shown = new Replay(wire, room, house, rest);
    refill(place, shown.node);
  } else if (kind === "seat" && rest) {
    refill(place, join(wire, room, house, rest));
  } else {
    refill(place, lobby(wire));
  }
  scrollTo(0, 0);
}

start();
