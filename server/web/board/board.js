/** The board: the sheet, the pieces on it, what may be pressed, and the arrows of marches. */

import { button, el, refill, svg } from "../dom.js";
import { layout, name } from "../facts.js";
import { Camera } from "./camera.js";
import { contentWords, describe, printedWords } from "./describe.js";
import { centre, drawArea } from "./pieces.js";
import { drawSheet } from "./sheet.js";

const ARROW_SECONDS = 6;
const MOST_ARROWS = 12;
const NOTE_SECONDS = 6;
/** So many areas are drawn in one frame; what is left of a change waits for the next, so that nothing that moves ever stops. */
const AT_ONCE = 5;
const NOTHING = {};
const SHORT = 26;
/** How much around a single area is shown with it. */
const AROUND = 250;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  #layers = {};
  #shown = {};
  #view = {};
  #laid = null;
  #planned = null;
  #drawnPlans = null;
  #current = "winterfell";
  #drag = null;
  #rest = 0;
  /** What a form does with a pressed area, a key on one, or units dragged from one: given the areas. */
  pick = null;
  key = null;
  dragged = null;

  constructor() {
    const { node, tint, hits } = drawSheet();
    this.tint = tint;
    this.hits = hits;
    for (const area of Object.keys(hits)) this.#layers[area] = svg("g", {});
    this.plans = svg("g", { class: "arrows", "aria-hidden": "true" });
    this.arrows = svg("g", { class: "arrows", "aria-hidden": "true" });
    this.svg = svg("svg", { class: "sheet", role: "group", "aria-label": "The board. The arrow keys go from area to area." },
      svg("defs", {}, svg("marker", { id: "head", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.4, markerHeight: 3.4, orient: "auto-start-reverse" },
        svg("path", { d: "M0 0 10 5 0 10Z" }))),
      node,
      Object.values(hits),
      svg("g", { class: "pieces", "aria-hidden": "true" }, Object.values(this.#layers)),
      this.plans, this.arrows);
    this.note = el("div", { class: "note", hidden: true });
    this.node = el("section", { class: "board", "aria-label": "Board" }, this.svg, this.note, this.#tools());
    this.camera = new Camera(this.svg);
    this.camera.taken = () => this.#drag !== null;
    Object.entries(hits).forEach(([area, hit]) => this.#listen(area, hit));
    this.svg.addEventListener("pointermove", (event) => this.#dragging(event));
    this.svg.addEventListener("pointerup", (event) => this.#drop(event));
    this.svg.addEventListener("pointercancel", () => this.#letGo());
  }

  /** Shows a document. */
  show(view) {
    this.#view = view;
    this.#drawSome();
    this.#drawPlans();
  }

  /** Shows orders and plans that are only being thought of, in place of those of the document; null for none. */
  lay(orders, plans = null) {
    this.#laid = orders;
    this.#planned = plans;
    this.#drawSome();
    this.#drawPlans();
  }

  /** Marks areas: a class name for each; all other marks go. */
  mark(classes) {
    for (const [area, hit] of Object.entries(this.hits)) hit.setAttribute("class", `hit ${classes[area] ?? ""}`);
  }

  /** Moves these areas into sight. */
  look(areas) {
    this.camera.look(areas.map(centre), areas.length > 1 ? undefined : AROUND);
  }

  /** Shows for some seconds what has moved in an event. */
  happened({ type, house, from, moves, to }) {
    if (type === "marched") moves.forEach((move) => this.#arrow(from, move.to, house));
    if (type === "retreated") this.#arrow(from, to, house);
  }

  /** Takes away what has moved. */
  clear() {
    refill(this.arrows);
  }

  #arrow(from, to, house) {
    const line = this.#arrowLine(centre(from), centre(to), `arrow h-${house}`);
    this.arrows.append(line);
    if (this.arrows.childElementCount > MOST_ARROWS) this.arrows.firstChild.remove();
    setTimeout(() => line.remove(), ARROW_SECONDS * 1000);
  }

  /** Tells about an area in the note. */
  tell(area) {
    const part = this.#view.areas?.[area] ?? {};
    const words = contentWords(part, this.#order(area, part));
    refill(this.note, el("strong", {}, name(area)), el("span", {}, printedWords(area)), words.map((word) => el("span", {}, word)));
    this.note.hidden = false;
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => { this.note.hidden = !this.hits[area].matches(":hover, :focus"); }, NOTE_SECONDS * 1000);
  }

  /** Where the viewer's marches and raids are to go, in a lighter hand than what really moves. */
  #drawPlans() {
    const plans = this.#planned ?? this.#view.you?.plans ?? {};
    const ways = Object.entries(plans).flatMap(([from, { moves = [], target }]) =>
      [...moves.map(({ to }) => [from, to, "march"]), ...(target ? [[from, target, "raid"]] : [])]);
    const drawn = JSON.stringify(ways);
    if (drawn === this.#drawnPlans) return;
    this.#drawnPlans = drawn;
    refill(this.plans, ways.map(([from, to, kind]) =>
      this.#arrowLine(centre(from), centre(to), `planned ${kind} h-${this.#view.areas?.[from]?.owner}`)));
  }

  #order(area, part) {
    return this.#laid?.[area] ?? this.#view.you?.orders?.[area] ?? part.order;
  }

  /** Draws what has changed, as much as one frame has time for. */
  #drawSome() {
    cancelAnimationFrame(this.#rest);
    let left = Object.keys(this.#shown).length ? AT_ONCE : Infinity;
    for (const area of Object.keys(this.hits)) {
      if (this.#draw(area)) left--;
      if (left === 0) {
        this.#rest = requestAnimationFrame(() => this.#drawSome());
        this.svg.setAttribute("aria-busy", true);
        return;
      }
    }
    this.svg.removeAttribute("aria-busy");
  }

  /** Draws an area, if it has changed; whether it has. */
  #draw(area) {
    const part = this.#view.areas?.[area] ?? NOTHING;
    const order = this.#order(area, part);
    const own = order !== part.order;
    const old = this.#shown[area];
    if (old && old.part === part && old.order === order && old.own === own) return false;
    this.#shown[area] = { part, order, own };
    refill(this.#layers[area], drawArea(area, part, order, own));
    this.tint[area].setAttribute("class", `owner ${part.owner ? `h-${part.owner}` : ""} ${part.neutral === "~" ? "closed" : ""}`);
    this.hits[area].setAttribute("aria-label", describe(area, part, order));
    return true;
  }

  #listen(area, hit) {
    hit.setAttribute("role", "button");
    hit.setAttribute("tabindex", area === this.#current ? 0 : -1);
    hit.dataset.area = area;
    hit.addEventListener("click", () => this.camera.moved || this.#press(area));
    hit.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.tell(area));
    hit.addEventListener("pointerdown", () => { if (this.dragged?.from === area) this.#drag = { from: area, line: null }; });
    hit.addEventListener("focus", () => this.tell(area));
    hit.addEventListener("keydown", (event) => this.#keydown(event, area));
  }

  #press(area) {
    this.#goTo(area, false);
    this.tell(area);
    this.pick?.(area);
  }

  #keydown(event, area) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#press(area);
    else if (event.key in WAYS) this.#goTo(neighbour(area, WAYS[event.key]), true);
    else if (event.key === "+" || event.key === "-") this.camera.zoom(event.key === "+" ? 1.4 : 1 / 1.4);
    else if (!this.key?.(area, event.key)) return;
    event.preventDefault();
  }

  #goTo(area, focus) {
    this.hits[this.#current].setAttribute("tabindex", -1);
    this.hits[area].setAttribute("tabindex", 0);
    this.#current = area;
    if (!focus) return;
    this.hits[area].focus({ preventScroll: true });
    const box = this.hits[area].getBoundingClientRect();
    const frame = this.svg.getBoundingClientRect();
    const inside = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
    if (!inside) this.camera.look([centre(area)], this.svg.viewBox.baseVal.height / 2);
  }

  #dragging(event) {
    if (!this.#drag) return;
    this.#drag.line?.remove();
    this.#drag.line = this.#arrowLine(centre(this.#drag.from), this.camera.point(event.clientX, event.clientY), "arrow dragged");
    this.arrows.append(this.#drag.line);
  }

  #drop(event) {
    if (!this.#drag) return;
    const { from, line } = this.#drag;
    this.#letGo();
    const to = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.area;
    if (line && to && to !== from) this.dragged?.to(to);
  }

  #letGo() {
    this.#drag?.line?.remove();
    this.#drag = null;
  }

  #arrowLine([ax, ay], [bx, by], kind) {
    const [dx, dy] = [bx - ax, by - ay];
    const [mx, my] = [(ax + bx) / 2 - dy * 0.12, (ay + by) / 2 + dx * 0.12];
    const short = Math.min(0.4, SHORT / (Math.hypot(bx - mx, by - my) || 1));  // so that it does not hide what it points at
    const [ex, ey] = [bx - (bx - mx) * short, by - (by - my) * short];
    const way = { d: `M${ax} ${ay}Q${mx} ${my} ${ex} ${ey}`, "marker-end": "url(#head)" };
    return svg("g", { class: kind }, svg("path", { class: "rim", ...way }), svg("path", way));
  }

  #tools() {
    const own = () => {
      const house = this.#view.you?.house;
      const mine = Object.entries(this.#view.areas ?? {}).filter(([, part]) => house && part.owner === house).map(([area]) => area);
      this.look(mine);
    };
    return el("div", { class: "tools" },
      button("+", () => this.camera.zoom(1.5), { "aria-label": "Nearer" }),
      button("\u2212", () => this.camera.zoom(1 / 1.5), { "aria-label": "Farther" }),
      button("\u2302", own, { "aria-label": "My areas", title: "My areas" }),
      button("\u25a3", () => this.camera.whole(), { "aria-label": "The whole board", title: "The whole board" }));
  }
}

/** The nearest area in a direction. */
function neighbour(area, [right, down]) {
  const [x, y] = centre(area);
  let best = area;
  let least = Infinity;
  for (const other of [...Object.keys(layout.areas), ...Object.keys(layout.ports)]) {
    const [dx, dy] = [centre(other)[0] - x, centre(other)[1] - y];
    const along = dx * right + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * right);
    if (other === area || along <= 0 || aside > along * 1.5) continue;
    const cost = along + aside * 1.5;
    if (cost < least) [best, least] = [other, cost];
  }
  return best;
}
