"""Sockets cut at random for whole games: everybody comes back, and sees at the end what everybody should (S30 to S34)."""

import asyncio
from pathlib import Path
from random import Random

from protocol.client import connect
from protocol.legal import draw
from server.config import Config
from server.gateway.node import Tasks, open_node
from server.gateway.server import Gateway
from server.rooms.room import Room

GAMES = 2


class Scissors:
    """A proxy in front of a server that cuts connections through the middle of whatever they carry."""

    def __init__(self, port: int, seed: int) -> None:
        self._port = port
        self._rng = Random(seed)
        self._open: set[asyncio.StreamWriter] = set()
        self.cuts = 0

    async def __aenter__(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._cutter = asyncio.create_task(self._cut())
        return int(self._server.sockets[0].getsockname()[1])

    async def __aexit__(self, *exc: object) -> None:
        self._cutter.cancel()
        self._server.close()
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection("127.0.0.1", self._port)
        self._open |= {writer, forth}
        await asyncio.gather(self._pipe(reader, forth), self._pipe(back, writer), return_exceptions=True)
        self._open -= {writer, forth}
        for each in (writer, forth):
            each.transport.abort()

    @staticmethod
    async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            writer.write(data)
            await writer.drain()
        raise EOFError

    async def _cut(self) -> None:
        while True:
            await asyncio.sleep(self._rng.uniform(0.005, 0.05))
            if self._open:
                self.cuts += 1
                self._rng.choice(list(self._open)).transport.abort()


def soon(attempt: int) -> float:
    return 0.01


async def test_S33_cut_at_random_every_replica_is_right_at_the_end(tmp_path: Path) -> None:
    tasks, config = Tasks(), Config(port=0, data=tmp_path)
    async with open_node(config, tasks) as (desk, _, _), Gateway(config, desk) as gateway:
        direct = f"ws://127.0.0.1:{gateway.port}/ws"
        cuts = 0
        for number in range(GAMES):
            async with connect(direct) as host:
                made = await host.create_room(4, tides=True)
                tokens = {
                    house: (await host.take_seat(made.room, house, invite=invite)).token
                    for house, invite in made.invites.items()
                }

            async def bot(url: str, room: str, token: str | None, seed: str) -> dict:
                rng = Random(seed)
                async with connect(url, delay=soon) as client:
                    table = await client.enter(room, token)
                    while not table.over:
                        prompt = table.prompt
                        if prompt and prompt.id != getattr(table, "last", 0):
                            table.last = prompt.id
                            await table.answer(prompt, draw(prompt, rng))
                        else:
                            await table.changed()
                    return table.view

            async with connect(direct) as opener:
                await opener.list_rooms()
            scissors = Scissors(gateway.port, number)
            async with scissors as port:
                url = f"ws://127.0.0.1:{port}/ws"
                viewers = {**tokens, "": None}
                views = await asyncio.gather(
                    *(patient(bot, url, made.room, token, f"{number}{h}") for h, token in viewers.items())
                )
            cuts += scissors.cuts
            found: asyncio.Future[Room] = asyncio.get_running_loop().create_future()
            desk.hall.visit(made.room, lambda living, found=found: found.set_result(living.room), found.set_exception)
            room = await found  # from the log: it has left memory with the last player
            for house, view in zip(viewers, views, strict=True):
                expected = {**room.document(), **({"you": room.you(house)} if house else {})}
                assert unconnected(view) == unconnected(expected), house
        await tasks.stop()
    assert cuts > 20


async def patient(bot, url, room, token, seed):
    """The first connection of a client must succeed; here it may be cut, too."""
    while True:
        try:
            return await bot(url, room, token, seed)
        except (OSError, EOFError):
            await asyncio.sleep(0.01)
        except Exception as error:
            if not type(error).__module__.startswith("websockets"):
                raise
            await asyncio.sleep(0.01)


def unconnected(view: dict) -> dict:
    houses = {h: {k: v for k, v in part.items() if k != "connected"} for h, part in view["houses"].items()}
    return {**view, "houses": houses}
