/**
 * Puts drawings where they belong by their own coordinates. A transform would do the same, but each element that has one is a sheet
 * of its own to the browser, which sorts all sheets anew whenever one of them changes.
 */

const STEPS = /[A-Za-z]|-?\d*\.?\d+/g;

/** Where a drawing is put: its middle, and its size (1 as it is drawn). */
export const HERE = { x: 0, y: 0, size: 1 };

/** A place for something that is drawn beside the middle of another place. */
export function beside({ x, y, size }, dx, dy, smaller = 1) {
  return { x: x + dx * size, y: y + dy * size, size: size * smaller };
}

/** A circle there. */
export function circle({ x, y, size }, r) {
  return { cx: x, cy: y, r: r * size };
}

/** The path there; one that is drawn around 0 0 with the absolute steps M L H V C Q T A Z. */
export function path(drawn, { x, y, size }) {
  const across = (n) => x + n * size;
  const down = (n) => y + n * size;
  const along = (n) => n * size;
  const as = (n) => n;
  const moves = { H: [across], V: [down], A: [along, along, as, as, as, across, down], Z: [] };
  let step = [];
  let at = 0;
  return drawn.match(STEPS).map((part) => {
    if (/\d/.test(part)) return `${Math.round(step[at++ % step.length](Number(part)) * 100) / 100} `;
    step = moves[part] ?? [across, down];
    at = 0;
    return part;
  }).join("");
}
