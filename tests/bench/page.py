"""The page in a real browser: what it weighs, how soon the board is there, and how much of a frame an update takes."""

import asyncio
import json
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from protocol.client import Client, connect, play
from protocol.messages import Moment, Snapshot, Update
from protocol.patch import apply
from protocol.wire import encode
from server.bots.drawing import drawing_player
from tests.sockets.house import serving
from tests.web.browser import Window, window

LOADS = 7
RATE = 60
FRAME_MS = 16

BOARD = """async () => {
  while (!document.querySelector(".pieces .unit")) await new Promise(requestAnimationFrame);
  await new Promise((painted) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = painted;
    port2.postMessage(0);
  }));
  return performance.now();
}"""
"""Waits until the board with its pieces is painted; milliseconds since the page was asked for."""
SOCKETS = """
window.began = 0;
const soon = window.requestAnimationFrame.bind(window);
let frame = -1;
window.requestAnimationFrame = (work) => soon((time) => {
  if (time !== frame) [frame, window.began] = [time, performance.now()];
  work(time);
});
const Real = WebSocket;
window.sockets = [];
window.WebSocket = class extends Real { constructor(...how) { super(...how); window.sockets.push(this); } };
"""
"""Keeps the sockets of a page, and when its present frame began: what the page itself has put off to a frame counts for it."""
FEED = """async ([frames, rate]) => {
  const socket = window.sockets.at(-1);
  window.take ??= socket.onmessage;
  socket.onmessage = null;  // the server itself is not heard any more
  const works = [];
  const began = performance.now();
  let taken = 0;  // for the messages since the last frame
  let on = true;
  const frame = () => {
    const start = window.began;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { works.push(performance.now() - start + taken); taken = 0; };
    port2.postMessage(0);
    if (on) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  for (const [n, data] of frames.entries()) {
    const wait = began + n * 1000 / rate - performance.now();
    await new Promise((now) => setTimeout(now, Math.max(0, wait)));
    const start = performance.now();
    window.take.call(socket, { data });
    taken += performance.now() - start;
  }
  on = false;
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 0)));
  return { works, took: performance.now() - began };
}"""
"""Gives the page messages of the server at a rate; how long it worked for each of its frames, from message to painting."""


class Page(NamedTuple):
    """What was measured; times in milliseconds."""

    weight_kb: float
    """All that is loaded for a table, as it comes over the wire."""
    first_board_ms: float
    """From an empty cache to a painted board, the median."""
    updates_a_second: float
    """That it followed; it was given 60 a second."""
    frames_a_second: float
    frame_ms_median: float
    """How long the work for a frame takes: the message, script, style, layout and paint."""
    frame_ms_p99: float
    frame_ms_max: float
    update_cpu_ms: float
    """What the page's own thread works for an update, whatever else the machine does meanwhile."""
    frames_over_16_ms: int
    """By the clock: on few cores the painting, which is the browser's, takes turns with the page."""
    frames_of_work_over_16_ms: int
    """By what the page's own thread worked for the frame and for the updates since the one before."""
    frame_work_ms_max: float
    frames: int
    updates: int


def measure() -> Page:
    """Play a game, then let browsers load its table and follow it at full speed."""
    return asyncio.run(_measure())


async def weight(seen: Window, path: str) -> int:
    """The bytes that come over the wire for a page, with an empty cache: headers and bodies, packed as they are."""
    page = await seen.open("/healthz")
    wire = await seen.context.new_cdp_session(page)
    await wire.send("Network.enable")
    await wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda loaded: sizes.append(loaded["encodedDataLength"]))
    await page.goto(seen.origin + path)
    await page.locator(".pieces .unit").first.wait_for()
    await page.close()
    return int(sum(sizes))


async def _measure() -> Page:
    with tempfile.TemporaryDirectory() as kept:
        async with serving(seed=2, kept=Path(kept)) as (url, _), connect(url) as client:
            room = await _game(client, url)
            path = f"/#/table/{room}"
            async with window(url) as seen:
                weighed = await weight(seen, path)
            loads = [await _load(url, path) for _ in range(LOADS)]
            works, own, updates, took = await _follow(client, url, room)
    works.sort()
    return Page(
        weight_kb=weighed / 1000,
        first_board_ms=median(loads),
        updates_a_second=updates / took * 1000,
        frames_a_second=len(works) / took * 1000,
        frame_ms_median=median(works),
        frame_ms_p99=works[len(works) * 99 // 100],
        frame_ms_max=works[-1],
        update_cpu_ms=sum(own) / updates,
        frames_over_16_ms=sum(work > FRAME_MS for work in works),
        frames_of_work_over_16_ms=sum(work > FRAME_MS for work in own),
        frame_work_ms_max=max(own),
        frames=len(works),
        updates=updates,
    )


async def _game(client: Client, url: str) -> str:
    made = await client.create_room(6)
    seats = [await client.take_seat(made.room, f"bot {h}", invite=i) for h, i in made.invites.items()]
    await asyncio.gather(*(play(url, made.room, s.token, drawing_player(s.house)) for s in seats))
    return made.room


async def _load(url: str, path: str) -> float:
    async with window(url) as seen:
        page = await seen.open(path)
        return float(await page.evaluate(BOARD))


async def _follow(client: Client, url: str, room: str) -> tuple[list[float], list[float], int, float]:
    """Let a page follow a whole game: each frame's time and own work, how many updates there were, and how long they took."""
    frames = _frames((await client.replay(room, count=500)).updates, room)
    async with window(url) as seen:
        await seen.context.add_init_script(SOCKETS)
        page = await seen.open(f"/#/table/{room}")
        await page.locator(".pieces .unit").first.wait_for()
        await page.evaluate(FEED, [frames[:1], RATE])  # the snapshot
        assert await page.locator(".result").count() == 0, "the page is back at the beginning"
        browser = seen.context.browser
        await browser.start_tracing(page=page, categories=["toplevel", "cc"])
        fed: dict[str, Any] = await page.evaluate(FEED, [frames[1:], RATE])
        own = _own_work(json.loads(await browser.stop_tracing())["traceEvents"])
        assert await page.locator(".result").count() == 1, "it has followed to the end"
        return fed["works"], own, len(frames) - 1, fed["took"]


def _own_work(events: list[dict[str, Any]]) -> list[float]:
    """Milliseconds that the page's thread worked for each frame: its tasks up to the one that made the frame."""
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    main = [e for e in events if names.get((e["pid"], e["tid"])) == "CrRendererMain" and e["ph"] == "X"]
    made = {e["ts"] for e in main if e["name"] == "ProxyMain::BeginMainFrame"}
    works = [0.0]
    for task in sorted((e for e in main if e["name"] == "ThreadControllerImpl::RunTask"), key=lambda e: float(e["ts"])):
        works[-1] += task.get("tdur", 0) / 1000
        if any(task["ts"] <= at <= task["ts"] + task["dur"] for at in made):
            works.append(0.0)
    return works


def _frames(moments: list[Moment], room: str) -> list[str]:
    """A snapshot of the game's beginning, and everything that came after it, as a server sends them."""
    start = next(n for n, m in enumerate(moments) if any(e["type"] == "game_started" for e in m.events))
    view: dict[str, Any] = {}
    for moment in moments[: start + 1]:
        view = apply(view, moment.patch)
    rest = [Update(room, m.seq, m.patch, m.events) for m in moments[start + 1 :]]
    return [str(encode(message, "json")) for message in (Snapshot(room, moments[start].seq, view), *rest)]


if __name__ == "__main__":
    import structlog

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(30))
    print(measure())
