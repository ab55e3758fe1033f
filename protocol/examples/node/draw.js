// A random legal answer to any prompt, from what the prompt lists alone ("How to answer" in PROTOCOL.md). It keeps to
// simple ones: a march is one group to one target, and a structure musters one new unit.
const below = (n) => Math.floor(Math.random() * n);
const pick = (list) => list[below(list.length)];
const sum = (numbers) => numbers.reduce((all, n) => all + n, 0);
const shuffled = (list) => list.map((each) => [Math.random(), each]).sort(([a], [b]) => a - b).map(([, each]) => each);
const singles = (counts) => Object.entries(counts).flatMap(([name, n]) => Array(n).fill(name));
const add = (counts = {}, name, n = 1) => ({ ...counts, [name]: (counts[name] ?? 0) + n });
const excess = ({ limits }, armies = {}) => // how many units are too many, in these armies by area
  sum(Object.values(armies).sort((a, b) => b - a).map((n, i) => Math.max(0, n - (limits[i] ?? 1))));

export const draw = (prompt) => ({ type: prompt.answer, ...answers[prompt.answer](prompt) });
const answers = {
  place_orders({ areas, tokens, starred, stars, required }) {
    const usable = shuffled(singles(tokens)).filter((order) => !starred.includes(order) || stars-- > 0);
    return { orders: Object.fromEntries(shuffled(areas).slice(0, required).map((area, n) => [area, usable[n]])) };
  },
  raven({ exchanges }) {
    const replacing = Object.entries(exchanges).map(([area, orders]) => ({ use: "replace", area, order: pick(orders) }));
    return pick([{ use: "look" }, { use: "pass" }, ...replacing]);
  },
  raid: ({ raids }) => pick(raids.flatMap(({ from, targets }) => [{ from }, ...targets.map((target) => ({ from, target }))])),
  march({ marches, supply }) {
    const { from, units, targets = [], leave_power = false } = pick(marches);
    for (const { to, attack, strength, needed, bonus = 0, offers = {}, room = Infinity } of shuffled(targets)) {
      const all = shuffled(singles(units));
      const sent = all.slice(below(all.length)); // one at least
      const enough = attack !== "neutral" || sum([bonus, ...sent.map((u) => strength[u]), ...Object.values(offers)]) >= needed;
      if (!enough || sent.length > room || excess(supply, add(add(supply.armies, from, -sent.length), to, sent.length))) continue;
      const group = sent.reduce((counts, unit) => add(counts, unit), {});
      return { from, moves: [{ to, units: group }], leave_power: leave_power && sent.length === all.length };
    }
    return { from, moves: [] };
  },
  consolidate: ({ orders, ...prompt }) =>
    pick(orders.flatMap(({ from, muster }) => [{ from }, ...(muster ? [{ from, muster: recruits([muster], prompt) }] : [])])),
  muster: ({ sites, ...prompt }) => ({ recruits: recruits(prompt.one_site ? [pick(sites)] : sites, prompt) }),
  bid: ({ power }) => ({ power: below(power + 1) }),
  rank: ({ houses, pick: wanted }) => ({ houses: shuffled(houses).slice(0, wanted) }),
  choose: ({ options }) => ({ option: pick(options) }),
  remove({ units, count, supply, one_area }) {
    const areas = one_area ? [pick(Object.keys(units).filter((a) => singles(units[a]).length >= count))] : Object.keys(units);
    const able = shuffled(areas.flatMap((area) => singles(units[area]).map((unit) => ({ area, unit }))));
    let [armies, gone] = [supply?.armies, {}];
    for (let n = 0; n < count; n++) {
      const helps = ({ area }) => !supply || excess(supply, add(armies, area, -1)) < excess(supply, armies);
      const [{ area, unit }] = able.splice(able.findIndex(helps), 1);
      [armies, gone] = [add(armies, area, -1), { ...gone, [area]: add(gone[area], unit) }];
    }
    return { units: gone };
  },
};

function recruits(sites, { pieces, costs, supply: { armies, ...supply } }) {
  return sites.flatMap(({ at, points, ships = {} }) => {
    const ashore = ["footman", "knight", "siege_engine"].map((unit) => ({ at, unit }));
    const afloat = Object.keys(ships).map((to) => ({ at, unit: "ship", to }));
    const made = pick([...ashore, ...afloat].filter(({ unit, to = at }) =>
      costs[unit] <= points && pieces[unit] > 0 && !excess(supply, add(armies, to))));
    if (!made) return [];
    [pieces, armies] = [add(pieces, made.unit, -1), add(armies, made.to ?? at)];
    return [made];
  });
}
