/** What a link to a seat opens: a name is asked for, and the seat is taken. */

import { button, el, refill } from "./dom.js";
import { name } from "./facts.js";
import { keepPlayerName, keepSeat, playerName, seat } from "./keys.js";
import { mark } from "./board/icons.js";

/** The address of a table, for a seat or to watch; it holds no secret. */
export function tableAddress(room, house) {
  return ["#/table", room, house].filter(Boolean).map((part, n) => (n ? encodeURIComponent(part) : part)).join("/");
}

/** The address of a moment of a game that is over, as seen by a house, by "all" or by who may "watch". */
export function replayAddress(room, viewer, seq) {
  return `#/replay/${[room, viewer, seq].map(encodeURIComponent).join("/")}`;
}

/** A link that gives a seat away. The invite is behind the #, so it never reaches a server's log. */
export function seatLink(room, house, invite) {
  return `${location.origin}${location.pathname}#/seat/${[room, house, invite].map(encodeURIComponent).join("/")}`;
}

/** A seat's link in a field, with a button that copies it. */
export function linkBox(room, house, invite) {
  const link = seatLink(room, house, invite);
  return el("span", { class: "link" },
    el("input", { readonly: true, value: link, "aria-label": `Link for ${name(house)}`, onfocus: (event) => event.target.select() }),
    button("Copy", (event) => copy(event.target, link), { "aria-label": `Copy the link for ${name(house)}` }));
}

async function copy(press, text) {
  try {
    await navigator.clipboard.writeText(text);
    press.textContent = "Copied";
  } catch {
    press.textContent = "Copy it by hand";
    press.previousSibling.select();
  }
}

/** The page of an invitation. */
export function join(wire, room, house, invite) {
  if (seat(room, house)) {
    location.replace(tableAddress(room, house));
    return el("p", {}, "You have this seat already.");
  }
  return el("main", { class: "page narrow" },
    el("h1", {}, "Marchwarden"),
    el("p", { class: "lead" }, "You are invited to table ", el("strong", {}, room), " as ",
      el("strong", { class: `house h-${house}` }, mark(house), `House ${name(house)}`), "."),
    sitDown(wire, room, house, { invite }, "Sit down"),
    el("p", {}, el("a", { href: tableAddress(room) }, "Only watch"), " \u00b7 ", el("a", { href: "#/" }, "All tables")));
}

/** A form that takes a seat, by its invite or in a public room by its house. */
export function sitDown(wire, room, house, by, text) {
  const refusal = el("p", { class: "refusal", role: "alert", hidden: true });
  const input = el("input", { name: "name", required: true, maxlength: 24, autocomplete: "nickname", value: playerName() });
  const press = el("button", { class: "main" }, text);
  async function take(event) {
    event.preventDefault();
    press.disabled = true;
    refusal.hidden = true;
    try {
      const seated = await wire.request({ type: "take_seat", room, name: input.value, ...by });
      keepPlayerName(input.value);
      keepSeat({ room, house: seated.house, token: seated.token, name: input.value });
      location.replace(tableAddress(room, seated.house));
    } catch (error) {
      refill(refusal, error.message, " ", error.hint);
      refusal.hidden = false;
      press.disabled = false;
    }
  }
  return el("form", { class: "sit", onsubmit: take }, el("label", {}, "Your name ", input), press, refusal);
}
