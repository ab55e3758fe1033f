/** Tells a player who looks elsewhere that it is their turn: the title flashes, and a notification comes if allowed. */

const TITLE = "Marchwarden";
const PACE = 1200;

let flashing = 0;

/** Whether the player may be asked for leave to notify. */
export function mayAsk() {
  return "Notification" in window && Notification.permission === "default" && isSecureContext;
}

/** Asks for it; only after a press, as browsers want it. */
export function ask() {
  return Notification.requestPermission();
}

/** It is the player's turn (what: the question), or not any more (nothing). */
export function turn(what, fresh) {
  clearInterval(flashing);
  document.title = what ? `\u25cf ${what} \u2013 ${TITLE}` : TITLE;
  if (!what) return;
  let on = true;
  flashing = setInterval(() => {
    on = !on || !document.hidden;
    document.title = on ? `\u25cf ${what} \u2013 ${TITLE}` : TITLE;
  }, PACE);
  if (fresh && document.hidden && "Notification" in window && Notification.permission === "granted") {
    new Notification(TITLE, { body: `Your turn: ${what}`, tag: "turn", icon: "/web/icon.svg" });
  }
}
