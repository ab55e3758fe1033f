/** A game that is over, as one viewer saw it: every document and what happened, by its number. */

import { apply } from "../replica.js";

const PAGE = 500;

/** What the documents of "all" are made of, so that a board shows the orders of every seat. */
function opened(view) {
  if (!view.seats) return view;
  const [orders, plans] = ["orders", "plans"].map((part) => Object.assign({}, ...Object.values(view.seats).map((you) => you[part])));
  return { ...view, you: { orders, plans } };
}

export class Reel {
  /** The moments: {seq, view, events}; the place of each is its seq. */
  moments = [];
  whole = false;

  /** `ask(request)` gives a page of `replay`, or throws a refusal; `as` is a house, "all", or nothing for a spectator. */
  constructor(ask, as) {
    this.ask = ask;
    this.as = as;
  }

  /** The last moment that is here. */
  get end() {
    return this.moments.length - 1;
  }

  /** Gets all pages, one after the other; `came` hears of each. Stops when `wanted()` says no. Throws a refusal. */
  async load(came, wanted) {
    let view = {};
    while (!this.whole && wanted()) {
      const after = this.moments.length ? { after: this.end } : {};
      const { updates, more } = await this.ask({ ...(this.as && { as: this.as }), ...after, count: PAGE });
      const from = this.moments.length;
      for (const { seq, patch, events = [] } of updates) {
        view = apply(view, patch);
        this.moments.push({ seq, view: opened(view), events });
      }
      this.whole = !more;
      if (wanted()) came(this.moments.slice(from));
    }
  }

  /** The nearest moment, before (-1) or after (1) a place, at which a round begins; else the beginning or the end. */
  round(at, way) {
    for (let k = at + way; k > 0 && k < this.end; k += way) {
      if (this.moments[k].view.round !== this.moments[k - 1].view.round) return k;
    }
    return way < 0 ? 0 : this.end;
  }
}
