/** Events in plain words: the templates of protocol/events.py, filled in here as `say` does there. */

import { facts, name } from "./facts.js";

const BRACKET = /\[([^[\]|]*)(?:\|(\w+))?\]/g;
const FIELD = /\{(\w+)\}/g;

/** An event as a sentence. */
export function say(event) {
  const template = facts.events[event.type];
  if (template === undefined) return event.type.replaceAll("_", " ");
  const text = template.replace(BRACKET, (_, part, condition) => {
    const needs = condition ? [condition] : Array.from(part.matchAll(FIELD), (match) => match[1]);
    return needs.every((field) => told(event[field]) || event.side === field) ? part : "";
  });
  return text.replace(FIELD, (_, field) => {
    const value = event[field] ?? "";
    return facts.plain.includes(field) ? (facts.phrases[value] ?? value) : inWords(value);
  });
}

function told(value) {
  return Boolean(value) && (typeof value !== "object" || Object.keys(value).length > 0);
}

function inWords(value) {
  if (typeof value === "string") return value && name(value);
  if (Array.isArray(value)) {
    const [source, n] = value;
    if (value.length === 2 && typeof source === "string" && Number.isInteger(n)) return `${sourceName(source)} ${signed(n)}`;
    return value.map(inWords).join(", ");
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return String(value);
  if ("to" in value && "units" in value) return `${inWords(value.units)} to ${inWords(value.to)}`;
  if ("house" in value && "total" in value && "parts" in value) {
    return `${inWords(value.house)} ${value.total} (${inWords(value.parts) || "nothing"})`;
  }
  return Object.entries(value).map(([key, part]) => pair(key, part)).join(", ");
}

function pair(key, part) {
  if (!Number.isInteger(part)) return `${inWords(key)}: ${inWords(part)}`;
  if (!(key in facts.plurals)) return `${inWords(key)} ${part}`;
  return `${part} ${part > 1 ? facts.plurals[key] : key.replaceAll("_", " ")}`;
}

/** Where strength comes from: "support of stark" as "support Stark". */
export function sourceName(source) {
  const cut = source.indexOf(" ");
  if (cut < 0) return name(source);
  const rest = source.slice(cut + 1);
  return rest ? `${source.slice(0, cut)} ${inWords(rest.replace(/^of /, ""))}` : name(source);
}

/** A number with its sign, as in a sum. */
export function signed(n) {
  return n < 0 ? `-${-n}` : `+${n}`;
}
