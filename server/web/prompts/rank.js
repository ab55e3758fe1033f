/** A tie to settle: the houses in order, best first, or the one that counts. */

import { button, el, refill } from "../dom.js";
import { name } from "../facts.js";
import { mark } from "../board/icons.js";

export function rank(ask) {
  const { houses, pick } = ask.prompt;
  let order = [];
  const box = el("div", { class: "rank" });
  function draw() {
    refill(box,
      el("ol", {}, order.map((house) => el("li", {}, el("span", { class: `house h-${house}` }, mark(house), name(house))))),
      el("div", { class: "offers" }, houses.filter((house) => !order.includes(house)).map((house) =>
        el("button", { type: "button", class: `house h-${house}`, "data-option": house, disabled: order.length >= pick,
          onclick: () => { order = [...order, house]; draw(); } }, mark(house), `${order.length + 1}. ${name(house)}`))),
      order.length > 0 && button("Start again", () => { order = []; draw(); }, { class: "quiet" }));
    ask.changed();
  }
  ask.place("answer.houses", box);
  draw();
  return {
    body: box,
    verb: "Settle it",
    answer: () => ({ type: "rank", houses: order }),
    missing: () => (order.length < pick ? (pick > 1 ? `Choose in order, best first: ${pick - order.length} to go.` : "Choose the house.") : ""),
  };
}
