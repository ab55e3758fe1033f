"""The page in a real browser: what it weighs, how soon the board is there, and how much of a frame an update takes."""

import asyncio
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
const Real = WebSocket;
window.sockets = [];
window.WebSocket = class extends Real { constructor(...how) { super(...how); window.sockets.push(this); } };
"""
FEED = """async (frames) => {
  const socket = window.sockets.at(-1);
  window.take ??= socket.onmessage;
  socket.onmessage = null;  // the server itself is not heard any more
  const works = [];
  const began = performance.now();
  for (const data of frames) {
    await new Promise((done) => requestAnimationFrame(() => {
      const start = performance.now();
      window.take.call(socket, { data });
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { works.push(performance.now() - start); done(); };
      port2.postMessage(0);
    }));
  }
  return { works, took: performance.now() - began };
}"""
"""Gives the page a frame of the server at the beginning of each of its own frames; how long each took until it was painted."""


class Page(NamedTuple):
    """What was measured; times in milliseconds."""

    weight_kb: float
    """All that is loaded for a table, as it comes over the wire."""
    first_board_ms: float
    """From an empty cache to a painted board, the median."""
    updates_a_second: float
    update_ms_median: float
    """How long a frame with an update in it takes to be done: script, style, layout and paint."""
    update_ms_p99: float
    update_ms_max: float
    update_cpu_ms: float
    """What the page's own thread works for one, whatever else the machine does meanwhile."""
    frames_over_16_ms: int
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
            works, took, cpu = await _follow(client, url, room)
    works.sort()
    return Page(
        weight_kb=weighed / 1000,
        first_board_ms=median(loads),
        updates_a_second=len(works) / took * 1000,
        update_ms_median=median(works),
        update_ms_p99=works[len(works) * 99 // 100],
        update_ms_max=works[-1],
        update_cpu_ms=cpu / len(works) * 1000,
        frames_over_16_ms=sum(work > FRAME_MS for work in works),
        updates=len(works),
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


async def _follow(client: Client, url: str, room: str) -> tuple[list[float], float, float]:
    """The time for each frame while a page follows a whole game, how long all took, and the seconds of CPU for it."""
    frames = _frames((await client.replay(room, count=500)).updates, room)
    async with window(url) as seen:
        await seen.context.add_init_script(SOCKETS)
        page = await seen.open(f"/#/table/{room}")
        await page.locator(".pieces .unit").first.wait_for()
        await page.evaluate(FEED, frames[:1])  # the snapshot
        assert await page.locator(".result").count() == 0, "the page is back at the beginning"
        meter = await seen.context.new_cdp_session(page)
        await meter.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = await _worked(meter)
        fed: dict[str, Any] = await page.evaluate(FEED, frames[1:])
        worked = await _worked(meter) - before
        assert await page.locator(".result").count() == 1, "it has followed to the end"
        return fed["works"], fed["took"], worked


async def _worked(meter: Any) -> float:
    """Seconds for which the page's thread has worked."""
    metrics = (await meter.send("Performance.getMetrics"))["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


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
