/** What this browser keeps: the seats it holds, the tables it made, the player's name, and where a tab was. */

const SEATS = "marchwarden.seats";
const HOSTED = "marchwarden.hosted";
const NAME = "marchwarden.name";
const WANTED = "marchwarden.alerts";
const OVER = "marchwarden.over";

/** The seats of this browser, newest first: {room, house, token, name, at}. */
export function seats() {
  return read(localStorage, SEATS) ?? [];
}

/** The seat of a house in a room, if this browser holds it. */
export function seat(room, house) {
  return seats().find((each) => each.room === room && each.house === house);
}

/** Keeps a seat. */
export function keepSeat(seat) {
  const others = seats().filter((each) => each.room !== seat.room || each.house !== seat.house);
  write(localStorage, SEATS, [{ ...seat, at: Date.now() }, ...others]);
}

/** Forgets a room and everything about it. */
export function forget(room) {
  write(localStorage, SEATS, seats().filter((each) => each.room !== room));
  write(localStorage, HOSTED, hosted().filter((each) => each.room !== room));
  write(localStorage, OVER, ended().filter((each) => each !== room));
}

/** The rooms of this browser's tables that it knows to be over. */
export function ended() {
  return read(localStorage, OVER) ?? [];
}

/** Remembers that a room is over, if one of this browser's tables is there. */
export function keepEnded(room) {
  const mine = hosted(room) || seats().some((each) => each.room === room);
  if (mine && !ended().includes(room)) write(localStorage, OVER, [room, ...ended()]);
}

/** The tables made here, newest first: {room, host, invites, at}. */
export function hosted(room) {
  const all = read(localStorage, HOSTED) ?? [];
  return room === undefined ? all : all.find((each) => each.room === room);
}

/** Keeps a table that was made here, or what has become of it. */
export function keepHosted(table) {
  write(localStorage, HOSTED, [{ at: Date.now(), ...table }, ...hosted().filter((each) => each.room !== table.room)]);
}

/** The name that the player used last. */
export function playerName() {
  return localStorage.getItem(NAME) ?? "";
}

/** Remembers it. */
export function keepPlayerName(text) {
  localStorage.setItem(NAME, text);
}

/** How the player wants to be told of a turn: {sound, notify}. */
export function wanted() {
  return read(localStorage, WANTED) ?? {};
}

/** Remembers it. */
export function keepWanted(wishes) {
  write(localStorage, WANTED, wishes);
}

/** Something that this tab keeps over a reload. */
export function kept(key) {
  return read(sessionStorage, key);
}

/** Keeps it; nothing forgets it. */
export function keep(key, value) {
  if (value === null) sessionStorage.removeItem(key);
  else write(sessionStorage, key, value);
}

function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key));
  } catch {
    return null;
  }
}

function write(storage, key, value) {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // The store is full or not allowed: the page works without it, only not after a reload.
  }
}
