/** What is in an area, in words: for screen readers, and for the note beside the board. */

import { facts, name, unitsInWords } from "../facts.js";

/** What is printed on an area: "land, stronghold, 1 barrel". */
export function printedWords(id) {
  const { kind, structure, barrels, crowns, home_of: home, port_of: land, sea } = facts.areas[id];
  return [
    kind === "port" ? `port of ${name(land)} to ${name(sea)}` : kind,
    structure !== "none" && structure,
    barrels && `${barrels} ${barrels > 1 ? "barrels" : "barrel"}`,
    crowns && `${crowns} ${crowns > 1 ? "crowns" : "crown"}`,
    home && `home of ${name(home)}`,
  ].filter(Boolean).join(", ");
}

/** What lies in an area now, a sentence each. `order` is what the viewer sees there. */
export function contentWords(part, order) {
  const { owner, units, routed, power, garrison, neutral } = part;
  const here = [unitsInWords(units), routed && `routed: ${unitsInWords(routed)}`].filter(Boolean).join("; ");
  return [
    owner && `${name(owner)}${here ? `: ${here}` : ""}`,
    order && (order === "hidden" ? "an order, face down" : `order: ${name(order)}`),
    power && `power token of ${name(power)}`,
    garrison && `garrison ${garrison}`,
    neutral === "~" && "closed for the whole game",
    neutral && neutral !== "~" && `neutral force of ${neutral}`,
  ].filter(Boolean);
}

/** An area in one breath. */
export function describe(id, part, order) {
  return [name(id), printedWords(id), ...contentWords(part, order)].join(". ");
}
