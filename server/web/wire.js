/** The one connection to the server: it opens again by itself, and a request lives until it is answered. */

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 15_000;
const PATIENCE = 5_000;
/** How long a connection may take to open. */
const OPENING = 12_000;
const LATER = new Set(["rate_limited", "server_draining"]);
/** What nobody sends as a seat is remembered only as long as the connection: asking twice would do it twice. */
const ONCE = new Set(["create_room", "take_seat", "enter"]);

/** Why a request had no effect: code, message, and perhaps path, hint, rules, needed, total, prompt. */
export class Refusal extends Error {
  constructor(fields) {
    super(fields.message);
    Object.assign(this, fields);
  }
}

const lost = () => new Refusal({ code: "connection_lost", message: "The connection was lost.", hint: "Try again." });

/** A fresh id for a request, or for anything else that needs one. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Events: "state" (see `state`), "open" (said hello, again perhaps) and "message" (in `detail`), for whatever is no reply.
 */
export class Wire extends EventTarget {
  #url;
  #socket = null;
  #pending = new Map();
  #failures = 0;
  #timer = 0;
  state = "connecting";
  /** How far the server's clock is ahead of this one, in milliseconds. */
  ahead = 0;

  constructor(url) {
    super();
    this.#url = url;
    addEventListener("online", () => this.#hurry());
    addEventListener("pageshow", () => this.#wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.#wake());
    this.#connect();
  }

  /** Sends a request; gives its reply, or throws a Refusal. */
  request(message) {
    const id = newId();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { message: { ...message, id }, resolve, reject });
      this.#send(id);
    });
  }

  #connect() {
    this.#become("connecting");
    const socket = new WebSocket(this.#url, "marchwarden.v1.json");
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: 1, client: "marchwarden web" }));
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = () => this.#gone(socket);
    this.#timer = setTimeout(() => this.#gone(socket), OPENING);
  }

  #gone(socket) {
    if (socket !== this.#socket) return;
    socket.onclose = null;
    socket.close();
    this.#lose();
  }

  #take(message) {
    if (message.type === "welcome") this.#welcome(message.now);
    else if (message.type === "going_away") this.retryAfter = message.retry_after;
    else if (this.#pending.has(message.id)) this.#reply(message);
    else this.dispatchEvent(new CustomEvent("message", { detail: message }));
  }

  #reply(message) {
    const { resolve, reject } = this.#pending.get(message.id);
    if (message.type === "error" && LATER.has(message.code)) {
      setTimeout(() => this.#send(message.id), FIRST_PAUSE * (1 + Math.random()));
      return;
    }
    this.#pending.delete(message.id);
    if (message.type === "error") reject(new Refusal(message));
    else resolve(message);
  }

  #welcome(now) {
    this.ahead = now - Date.now();
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#become("open");
    const unanswered = [...this.#pending.keys()];
    this.dispatchEvent(new Event("open"));
    unanswered.forEach((id) => this.#send(id));
  }

  #send(id) {
    const asked = this.#pending.get(id);
    if (asked && this.state === "open") {
      asked.sent = true;
      this.#socket.send(JSON.stringify(asked.message));
    }
  }

  #lose() {
    this.#socket = null;
    clearTimeout(this.#timer);
    for (const [id, { message, reject, sent }] of this.#pending) {
      if (!sent || !ONCE.has(message.type)) continue;
      this.#pending.delete(id);
      reject(lost());
    }
    const growing = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures++);
    const pause = (this.retryAfter ?? 0) + growing * (0.5 + Math.random());
    delete this.retryAfter;
    this.#become("lost");
    this.#timer = setTimeout(() => this.#connect(), pause);
  }

  /** The network is back: do not wait any longer. */
  #hurry() {
    if (this.#socket) return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /** After a sleep a connection may look open and be dead: ask something, and give it up if no answer comes. */
  #wake() {
    if (this.state !== "open") {
      this.#hurry();
      return;
    }
    const socket = this.#socket;
    const timer = setTimeout(() => {
      this.#gone(socket);
      this.#hurry();
    }, PATIENCE);
    this.request({ type: "list_rooms", filter: { page: 10_000 } }).then(() => clearTimeout(timer), () => {});
  }

  #become(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}
