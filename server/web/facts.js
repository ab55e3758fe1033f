/** Names and what is printed on the board and the cards, as the server gives them. No rules. */

export let facts = {};
export let layout = {};

/** Loads both; must be done before anything else is shown. */
export async function load() {
  [facts, layout] = await Promise.all(["/web/facts.json", "/web/board/board.json"].map(get));
}

let rulesAsked = null;

/** The text of every rule by its id; loaded when first wanted. */
export function rules() {
  rulesAsked ??= get("/web/rules.json");
  return rulesAsked;
}

async function get(path) {
  return (await fetch(path)).json();
}

/** How an id reads. */
export function name(id) {
  return facts.names[id] ?? spelled(id);
}

/** An id without a name of its own, spelled out: march-plus-1 as "March +1". */
export function spelled(id) {
  const words = id.replaceAll("-minus-", " \u2212").replaceAll("-plus-", " +").replaceAll("-", " ").replaceAll("_", " ");
  const title = words.toLowerCase().replace(/(^|[^a-z])([a-z])/g, (_, before, letter) => before + letter.toUpperCase());
  return title.replaceAll(" Of ", " of ");
}

/** So many units in words: {knight: 1, footman: 2} as "1 knight, 2 footmen". */
export function unitsInWords(units) {
  return Object.entries(units ?? {}).map(([unit, n]) => `${n} ${unitName(unit, n)}`).join(", ");
}

/** The name of a kind of unit. */
export function unitName(unit, n = 1) {
  return n === 1 ? unit.replaceAll("_", " ") : facts.plurals[unit];
}
