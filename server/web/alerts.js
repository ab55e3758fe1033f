/** Tells a player that it is their turn: the title flashes; a short sound and a notification come if they were switched on. */

import { button, el } from "./dom.js";
import { sign } from "./board/icons.js";
import { keepWanted, wanted } from "./keys.js";

const TITLE = "Marchwarden";
const PACE = 1200;
/** The two notes of the sound: hertz, and when each begins, in seconds. */
const NOTES = [[587, 0], [880, 0.14]];
const LOUDNESS = 0.12;

let flashing = 0;
let audio = null;

/** The switches for sound and notifications; both are off until they are pressed, and remembered. */
export function switches() {
  const notes = "Notification" in window && isSecureContext;
  return el("span", { class: "switches" },
    toggle("sound", "horn", "Sound when it is my turn", sound),
    notes && toggle("notify", "bell", "Notification when it is my turn", allowed, () => Notification.permission === "granted"));
}

/** A switch; `turnedOn` may say by false that it stays off, `holds` that it still may be on. */
function toggle(what, picture, label, turnedOn, holds = () => true) {
  const on = () => Boolean(wanted()[what]) && holds();
  const show = () => node.setAttribute("aria-checked", String(on()));
  const node = button(sign(picture), async () => {
    const next = !on();
    keepWanted({ ...wanted(), [what]: next && (await turnedOn()) !== false });
    show();
  }, { class: "quiet switch", role: "switch", "aria-label": label, title: label });
  show();
  return node;
}

/** Asks for leave to notify; only after a press, as browsers want it. Gives whether there is. */
async function allowed() {
  return await Notification.requestPermission() === "granted";
}

/** A short sound, made here. */
function sound() {
  audio ??= new AudioContext();
  audio.resume();
  for (const [pitch, after] of NOTES) {
    const at = audio.currentTime + after;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUDNESS, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.4);
  }
}

/** It is the player's turn (what: the question), or not any more (nothing); `fresh` if it was not before. */
export function turn(what, fresh) {
  clearInterval(flashing);
  document.title = what ? `\u25cf ${what} \u2013 ${TITLE}` : TITLE;
  if (!what) return;
  let on = true;
  flashing = setInterval(() => {
    on = !on || !document.hidden;
    document.title = on ? `\u25cf ${what} \u2013 ${TITLE}` : TITLE;
  }, PACE);
  if (!fresh) return;
  // Before the first press on a page a browser lets nothing sound.
  if (wanted().sound && navigator.userActivation?.hasBeenActive !== false) sound();
  if (wanted().notify && document.hidden && "Notification" in window && Notification.permission === "granted") notify(what);
}

function notify(what) {
  try {
    const note = new Notification(TITLE, { body: `Your turn: ${what}`, tag: "turn", icon: "/web/icon.svg" });
    note.addEventListener("click", () => { focus(); note.close(); });
  } catch {
    // Some phones only let a service worker notify; the title and the sound must do there.
  }
}
