/** A secret bid of power. */

import { el, refill } from "../dom.js";
import { counter } from "./parts.js";

export function bid(ask) {
  const max = ask.prompt.power ?? 0;
  let power = Math.min(ask.before?.power ?? 0, max);
  const box = el("div", { class: "bid" });
  function set(value) {
    power = value;
    draw();
  }
  function draw() {
    refill(box, counter("power", power, { max, change: (value) => { power = value; range.value = value; } }), range);
    range.value = power;
  }
  const range = el("input", { type: "range", min: 0, max, value: power, "aria-label": "Power", oninput: (event) => set(Number(event.target.value)) });
  draw();
  ask.place("answer.power", box);
  return { body: box, verb: "Bid", answer: () => ({ type: "bid", power }) };
}
