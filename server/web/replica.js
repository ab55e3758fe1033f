/** A room's document as the server has shown it so far: messages go in, the current state is there to read. */

/** Applies a merge patch (RFC 7396). The old document stays as it was; parts that the patch does not touch are shared. */
export function apply(document, patch) {
  if (!isMap(patch)) return patch;
  const result = isMap(document) ? { ...document } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isMap(value) ? apply(result[key], value) : value;
  }
  return result;
}

function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The houses with who of them is connected; those whose seat is free say nothing of it. */
function presence(houses, connected) {
  return Object.fromEntries(Object.entries(houses).map(([house, part]) =>
    [house, "name" in part ? { ...part, connected: connected.includes(house) } : part]));
}

export class Replica {
  /** Starts empty, or from what an earlier page kept. */
  constructor(kept) {
    this.view = kept?.view ?? {};
    this.seq = kept?.seq ?? null;
  }

  /** Follows a message: "new", "old" (known already) or "gap" (one before it is missing; nothing was done). */
  feed(message) {
    if (message.type === "snapshot") {
      this.view = message.view;
      this.seq = message.seq;
      return "new";
    }
    if (message.type === "presence") {
      this.view = { ...this.view, houses: presence(this.view.houses ?? {}, message.connected) };
      return "new";
    }
    const next = message.type === "private" ? this.seq : this.seq + 1;
    if (this.seq === null || message.seq > next) return "gap";
    if (message.seq < next) return "old";
    this.view = message.type === "private" ? { ...this.view, you: message.you } : apply(this.view, message.patch);
    this.seq = message.seq;
    return "new";
  }
}
