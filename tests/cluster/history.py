"""The history checker: what players were told and what was acknowledged, against the log of the rooms."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from protocol.messages import Update
from protocol.wire import decode_server
from server.rooms.base_game import BaseGame
from server.rooms.entries import Answered, unpack, unpack_birth
from server.rooms.letters import Update as Letter
from server.rooms.room import Room
from server.store.store import Store
from tests.cluster.player import Player


def plain(view: dict[str, Any]) -> dict[str, Any]:
    """A document without who is connected, and without the seat's own part, which may change under one seq."""
    houses = {h: {k: v for k, v in part.items() if k != "connected"} for h, part in view["houses"].items()}
    return {key: value for key, value in {**view, "houses": houses}.items() if key != "you"}


class Log:
    """A room as its log has it: every update that anybody could be shown, every document, every answer."""

    @classmethod
    async def read(cls, store: Store, room_id: str) -> "Log":
        log = cls()
        stored = await store.whole(room_id)  # with all checks
        room = Room(room_id, unpack_birth(stored.created), BaseGame())
        log.updates: dict[int, Letter] = {}
        log.epoch: dict[int, int] = {}
        log.documents = {0: plain(room.document())}
        log.answers = list[Answered]()
        log.epochs = [entry.epoch for entry in stored.entries]
        for one in stored.entries:
            entry, state = unpack(one.body)
            for post in room.apply(entry):
                if isinstance(post.letter, Letter):
                    assert post.letter.seq not in log.updates
                    log.updates[post.letter.seq] = post.letter
                    log.epoch[post.letter.seq] = one.epoch
            assert not state or (room.play and room.play.hash() == state)
            log.documents[room.seq] = plain(room.document())
            if isinstance(entry, Answered):
                log.answers.append(entry)
        log.press = await store.press(room_id, limit=100_000)
        log.room = room
        return log


def check(log: Log, players: Sequence[Player]) -> Counter[str]:
    """Raises AssertionError if anything was lost, done twice, shown otherwise than it is in the log, or shown out of order."""
    counted: Counter[str] = Counter()
    assert log.epochs == sorted(log.epochs), "an old owner wrote after a new one"
    twice = Counter((one.house, one.prompt) for one in log.answers)
    assert not [key for key, times in twice.items() if times > 1], "an answer was taken twice"
    requests = Counter((one.house, one.request) for one in log.answers if one.request)
    for player in players:
        where = (player.room, player.house)
        assert not player.odd, (where, player.odd)
        assert player.replica.over, where
        for update in player.updates:  # each of one epoch alone: that of the log
            frame = log.updates[update.seq].frame(player.house, "msgpack")
            assert decode_server(frame, "msgpack") == update, (where, update.seq)
            counted["updates"] += 1
        for snapshot in player.snapshots:
            assert plain(snapshot.view) == log.documents[snapshot.seq], (where, snapshot.seq)
            counted["snapshots"] += 1
        assert plain(player.replica.view) == plain(log.room.document()), where
        if player.house:
            assert player.replica.view["you"] == log.room.you(player.house), where
        for sent in player.sent:
            times = requests[player.house, sent.id]
            assert times <= 1, ("twice", where, sent)
            assert times == 1 or sent.id not in player.answered, ("lost", where, sent)
            counted["answers"] += sent.id in player.answered
        counted["connections"] += player.connections
        counted["unavailable"] += player.unavailable
    _check_press(log, players, counted)
    counted["epochs"] = len(set(log.epochs))
    return counted


def _check_press(log: Log, players: Sequence[Player], counted: Counter[str]) -> None:
    texts = Counter(said.text for said in log.press)
    assert all(times == 1 for times in texts.values()), "something was said twice"
    for player in players:
        for say in player.said:
            assert texts[say.text] == 1 or say.id not in player.said_well, ("lost", say)
            counted["said"] += say.id in player.said_well
        heard = [said.at for said in player.heard]
        assert heard == sorted(set(heard)), ("heard twice, or not in order", player.room, player.house)
        if heard:
            known = [said.at for said in log.press if said.at <= heard[-1]]
            assert heard == known[-len(heard) :], ("not heard", player.room, player.house)
        assert all(isinstance(update, Update) for update in player.updates)
