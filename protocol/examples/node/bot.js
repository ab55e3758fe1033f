// A bot for Marchwarden that knows no rules: written from PROTOCOL.md, it plays random legal answers to the end.
//   npm ci                                             once, for the two packages that it needs
//   node bot.js ws://127.0.0.1:8000/ws                 makes a room for three and plays in it
//   node bot.js ws://127.0.0.1:8000/ws ROOM INVITE     plays in a room by an invite
import { randomUUID } from "node:crypto";
import { decode, encode } from "@msgpack/msgpack";
import WebSocket from "ws";
import { draw } from "./draw.js";

let [url = "ws://127.0.0.1:8000/ws", room, invite] = process.argv.slice(2);
let socket, token, view, entering, answered;
let [seq, attempt, pause] = [0, 0, 0]; // what we hold; connections lost in a row; milliseconds to leave the server alone
const open = new Map(); // requests without a reply, by id
const send = (message) => socket.readyState === WebSocket.OPEN && socket.send(encode(message));
const ask = (type, fields, id = randomUUID()) => send(open.set(id, { type, id, ...fields }).get(id));
const sit = () => ask("take_seat", { room, invite, name: "Node" });
const enter = () => entering || ask("enter", { room, token, since: seq }, (entering = randomUUID()));
const isMap = (value) => value?.constructor === Object;
function merged(document, patch) {
  const result = isMap(document) ? { ...document } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = isMap(value) ? merged(result[key], value) : value;
  }
  return result;
}

/** Look at the document as it is now, and answer what has not been answered yet. */
function look(document, at) {
  [view, seq] = [document, at];
  if (view.phase === "over") process.exit(console.log(`over: ${view.result?.winner ?? "nobody"} wins`));
  const { prompt } = view.you;
  if (prompt && prompt.id !== answered) ask("answer", { room, prompt: (answered = prompt.id), answer: draw(prompt) });
}

const take = {
  welcome: () => (token ? enter() : room ? sit() : ask("create_room", { players: 3 })),
  room_created(made) {
    [room, [invite]] = [made.room, Object.values(made.invites)];
    for (const code of Object.values(made.invites).slice(1)) console.log(`another: node bot.js ${url} ${room} ${code}`);
    sit();
  },
  seated(seat) {
    token = seat.token;
    console.log(`playing ${seat.house} in room ${room}`);
    enter();
  },
  ok({ id }) {
    if (id === entering) open.forEach(send); // the same with the same id: what had arrived is not taken twice
    [entering, attempt] = id === entering ? [undefined, attempt] : [entering, 0];
  },
  snapshot: (news) => look(news.view, news.seq),
  update: (news) => (news.seq > seq + 1 ? enter() : news.seq > seq && look(merged(view, news.patch), news.seq)),
  private: (news) => (news.seq > seq ? enter() : news.seq === seq && look({ ...view, you: news.you }, seq)),
  going_away: (news) => (pause = news.retry_after),
  error(error, request) {
    if (["stale_prompt", "not_your_prompt", "room_over", "too_late"].includes(error.code)) return; // another was faster
    const later = ["rate_limited", "server_draining", "unavailable", "internal"].includes(error.code);
    if (!later || !request) throw new Error(`refused: ${error.code} at ${error.path}: ${error.message} ${error.hint ?? ""}`);
    const here = socket;
    open.set(request.id, request);
    setTimeout(() => socket === here && send(request), 500 + 1000 * Math.random());
  },
};

function connect() {
  socket = new WebSocket(url, ["marchwarden.v1.msgpack"]);
  socket.on("open", () => send({ type: "hello", protocol: 1, client: "node example" }));
  socket.on("message", (frame) => {
    const message = decode(frame);
    const request = open.get(message.id);
    open.delete(message.id);
    take[message.type]?.(message, request); // types that are not known here are passed over
  });
  socket.on("unexpected-response", (_, { headers }) => socket.terminate((pause = 1000 * (headers["retry-after"] ?? 0))));
  socket.on("error", (error) => console.error(`connection: ${error.message}`));
  socket.on("close", () => {
    for (const [id, { type }] of open) if (type !== "answer") open.delete(id); // those are made anew
    const wait = pause + Math.random() * Math.min(30_000, 500 * 2 ** attempt++);
    [entering, pause] = [undefined, 0];
    console.log(`connection lost; back in ${Math.round(wait)} ms`);
    setTimeout(connect, wait);
  });
}
connect();
