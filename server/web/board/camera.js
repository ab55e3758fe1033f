/** What part of the sheet is in sight: zoom by wheel, pinch or button, move by dragging. */

import { layout } from "../facts.js";

const CLOSEST = 260;
const STILL = 6;
const MARGIN = 60;

export class Camera {
  #fingers = new Map();
  #box = { x: 0, y: 0, width: 1, height: 1 };
  #pinch = 0;
  /** Whether the last press has moved the sheet, so that it was no press on an area. */
  moved = false;
  /** Asked when a finger goes down: whether something else takes the drag. */
  taken = () => false;

  constructor(svg) {
    this.svg = svg;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(end, (event) => this.#up(event));
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    new ResizeObserver(() => this.#show(this.#box)).observe(svg);
  }

  /** All of the sheet. */
  whole() {
    this.#show({ x: 0, y: 0, width: layout.width, height: layout.height });
  }

  /** These places and some of what is around them. */
  look(points, around = 160) {
    if (!points.length) return this.whole();
    const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
    const [x, y] = [Math.min(...xs) - around, Math.min(...ys) - around];
    return this.#show({ x, y, width: Math.max(...xs) + around - x, height: Math.max(...ys) + around - y });
  }

  /** Nearer (above 1) or farther, around a place on the screen or the middle. */
  zoom(factor, clientX, clientY) {
    const { x, y, width, height } = this.#box;
    const frame = this.svg.getBoundingClientRect();
    const [u, v] = clientX === undefined ? [0.5, 0.5] : [(clientX - frame.left) / frame.width, (clientY - frame.top) / frame.height];
    const size = Math.max(CLOSEST / Math.min(width, height), 1 / factor);
    this.#show({ x: x + u * width * (1 - size), y: y + v * height * (1 - size), width: width * size, height: height * size });
  }

  /** Moves the sheet by so many of its widths and heights. */
  pan(right, down) {
    const { x, y, width, height } = this.#box;
    this.#show({ x: x + right * width, y: y + down * height, width, height });
  }

  /** Where on the sheet a place on the screen is. */
  point(clientX, clientY) {
    const frame = this.svg.getBoundingClientRect();
    const { x, y, width, height } = this.#box;
    return [x + ((clientX - frame.left) / frame.width) * width, y + ((clientY - frame.top) / frame.height) * height];
  }

  /** Grows the box to the shape of the screen and keeps it on the sheet. */
  #show(box) {
    const frame = this.svg.getBoundingClientRect();
    if (!frame.width || !frame.height) {
      this.#box = box;
      return;
    }
    const shape = frame.width / frame.height;
    const farthest = Math.max(layout.width + 2 * MARGIN, (layout.height + 2 * MARGIN) * shape);
    const width = Math.min(Math.max(box.width, box.height * shape), farthest);
    const height = width / shape;
    const x = keep(box.x + (box.width - width) / 2, width, layout.width);
    const y = keep(box.y + (box.height - height) / 2, height, layout.height);
    this.#box = { x, y, width, height };
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }

  #down(event) {
    if (event.button > 0) return;
    if (!this.#fingers.size) this.moved = false;
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY] });
    this.#pinch = this.#spread();
  }

  #move(event) {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger || this.taken()) return;
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    const far = Math.hypot(event.clientX - finger.from[0], event.clientY - finger.from[1]);
    if (!this.moved && far < STILL && this.#fingers.size < 2) return;
    this.moved = true;
    finger.x = event.clientX;
    finger.y = event.clientY;
    const frame = this.svg.getBoundingClientRect();
    this.pan(-dx / frame.width / this.#fingers.size, -dy / frame.height / this.#fingers.size);
    const spread = this.#spread();
    if (spread && this.#pinch) {
      const [a, b] = [...this.#fingers.values()];
      this.zoom(spread / this.#pinch, (a.x + b.x) / 2, (a.y + b.y) / 2);
    }
    this.#pinch = spread;
  }

  #up(event) {
    this.#fingers.delete(event.pointerId);
    this.#pinch = this.#spread();
  }

  #spread() {
    if (this.#fingers.size !== 2) return 0;
    const [a, b] = [...this.#fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  }

  #wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 120 : 500)), event.clientX, event.clientY);
  }
}

/** Keeps a stretch over the sheet, or the sheet in the middle of it. */
function keep(start, length, whole) {
  if (length >= whole) return (whole - length) / 2;
  return Math.min(Math.max(start, -MARGIN), whole + MARGIN - length);
}
