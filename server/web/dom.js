/** Makes elements out of data. Text goes in as text and never as markup, so no name or message can become part of the page. */

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: properties named on... are listeners, all others attributes (absent when false or missing). */
export function el(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Replaces what a node holds. */
export function refill(node, ...children) {
  node.replaceChildren(...wanted(children));
  return node;
}

/** A button that does something; it never sends a form. */
export function button(text, press, props) {
  return el("button", { type: "button", onclick: press, ...props }, text);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...wanted(children));
  return node;
}

function wanted(children) {
  return children.flat(Infinity).filter((child) => child || child === 0);
}
