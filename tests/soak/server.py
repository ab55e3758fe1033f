"""`make soak-server`: rooms made, played and closed against a server process, and whether it gives everything back.

Every room has three seats on sockets of their own, each answered with the default answers until round two; then the host
closes the room. First a quarter of them is played, so that the server has done once all that it will do; its memory and open
files are then its level, to which it must come back when all of them have been played and closed.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from protocol.client import Client, connect
from protocol.errors import RequestError
from protocol.legal import default
from tests.kill.process import Server

AT_ONCE = 8
ALLOWED = 1.05
REST = 75
"""Seconds after which garbage has been collected."""
OPTIONS = (
    "--address-rooms=1000000",
    "--address-handshake-rate=10000",
    "--address-rate=100000",
    "--handshake-rate=10000",
)


def now(pid: int) -> tuple[float, int]:
    """Resident MB and open files of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024, len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def play_room(url: str) -> int:
    """One room from the first to the last; how many answers it took."""
    async with connect(url) as host:
        made = await host.create_room(3)
        seats = [await host.take_seat(made.room, h, invite=invite) for h, invite in made.invites.items()]
        answers = await asyncio.gather(*(sit(url, made.room, seat.token) for seat in seats))
        await host.host(made.room, made.host, "close")
    return sum(answers)


async def sit(url: str, room: str, token: str) -> int:
    async with connect(url) as client:
        return await answer_a_round(client, room, token)


async def answer_a_round(client: Client, room: str, token: str) -> int:
    table, answers, last = await client.enter(room, token), 0, None
    while table.view.get("round", 1) < 2:
        prompt = table.prompt
        if prompt is None or prompt.id == last:
            await table.changed()
            continue
        last = prompt.id
        try:
            await table.answer(prompt, default(prompt))
            answers += 1
        except RequestError as error:
            if error.code not in ("stale_prompt", "not_your_prompt"):
                raise
    return answers


async def play(url: str, rooms: int) -> int:
    """So many rooms, some at a time; how many answers."""
    left, answers = iter(range(rooms)), 0

    async def one_after_the_other() -> None:
        nonlocal answers
        for _ in left:
            done = await play_room(url)
            answers += done

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(one_after_the_other())
    return answers


async def soak(server: Server, rooms: int, rest: float) -> bool:
    tell("started", *now(server.pid))
    await play(server.url, rooms // 4)
    await asyncio.sleep(rest)
    memory, files = now(server.pid)
    tell(f"{rooms // 4} rooms and a rest, the level", memory, files)
    start = time.monotonic()
    answers = await play(server.url, rooms)
    tell(f"{rooms} more, {answers} answers in {time.monotonic() - start:.0f} s", *now(server.pid))
    await asyncio.sleep(rest)
    memory_after, files_after = now(server.pid)
    tell(f"after a rest, {memory_after / memory:.3f} of the level", memory_after, files_after)
    return memory_after <= ALLOWED * memory and files_after <= files


def tell(when: str, memory: float, files: int) -> None:
    print(f"{when}: {memory:.1f} MB, {files} files", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.server", description=__doc__)
    parser.add_argument("--rooms", type=int, default=1000)
    parser.add_argument("--rest", type=float, default=REST)
    parser.add_argument("--store", default="", help="as of marchwarden serve; a file if it is left out")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        server = Server(Path(directory) / "data", *OPTIONS, *([f"--store={options.store}"] if options.store else []))
        server.start()
        try:
            fine = asyncio.run(soak(server, options.rooms, options.rest))
        finally:
            fine = server.stop() == 0 and fine
    print("everything was given back" if fine else "NOT everything was given back")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
