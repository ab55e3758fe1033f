"""Random batches against a model: a store is a list of entries, a snapshot and press for each room, and an epoch."""

import asyncio
from dataclasses import dataclass, field
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from server.store.records import Birth, Entry, Outcome, Said, Snapshot, Stored, Work
from server.store.store import Store
from tests.store.rows import line

ROOMS = ("a", "b", "c")
HOUSES = ("stark", "lannister", "tyrell")

entries = st.builds(
    Entry,
    n=st.just(0),
    epoch=st.just(0),
    at=st.integers(-(2**63), 2**63 - 1),
    seat=st.sampled_from(("", *HOUSES)),
    client_id=st.text(st.characters(exclude_categories=()), max_size=36),
    body=st.binary(max_size=300),
)
said = st.builds(
    Said,
    at=st.integers(0, 2**53),
    sender=st.sampled_from(HOUSES),
    to=st.just("all") | st.lists(st.sampled_from(HOUSES), min_size=1, max_size=3),
    text=st.text(st.characters(exclude_categories=()), min_size=1, max_size=50),
)


@dataclass
class Plan:
    """A work relative to what is there: `late` and `ahead` make it stale."""

    room: str
    late: int
    ahead: int
    entries: list[Entry]
    snapshot: bytes | None
    said: list[Said]


usually_none = st.sampled_from([0, 0, 0, 0, 0, 1])
plans = st.builds(
    Plan,
    room=st.sampled_from(ROOMS),
    late=usually_none,
    ahead=usually_none.map(lambda ahead: -ahead) | usually_none,
    entries=st.lists(entries, max_size=3),
    snapshot=st.none() | st.binary(max_size=50),
    said=st.lists(said, max_size=2),
)
steps = st.lists(st.lists(plans, min_size=1, max_size=5) | st.sampled_from(ROOMS), max_size=8)


@dataclass
class Model:
    epoch: int = 1
    entries: list[Entry] = field(default_factory=list)
    snapshot: Snapshot | None = None
    said: list[Said] = field(default_factory=list)


def test_a_store_is_what_was_acknowledged(url: str):
    numbers = count()
    with asyncio.Runner() as runner:
        store = runner.run(Store.open(url))

        @settings(max_examples=60, deadline=None)
        @given(steps)
        def check(steps: list[list[Plan] | str]) -> None:
            runner.run(_check(store, steps, f"-{next(numbers)}"))

        check()
        runner.run(store.close())


async def _check(store: Store, steps: list[list[Plan] | str], suffix: str) -> None:
    models = {room: Model() for room in ROOMS}
    await store.commit([Birth(line(room + suffix), room.encode()) for room in ROOMS])
    for step in steps:
        if isinstance(step, str):
            _same(await store.claim(step + suffix), models[step], suffix)
        else:
            await _commit(store, models, step, suffix)
    for room, model in models.items():
        _same(await store.claim(room + suffix), model, suffix)
        assert await store.entries(room + suffix) == model.entries
        for viewer in (None, *HOUSES):
            heard = [each for each in model.said if each.heard_by(viewer)]
            assert await store.said(room + suffix, viewer) == heard
            assert await store.said(room + suffix, viewer, limit=2) == heard[-2:]


async def _commit(store: Store, models: dict[str, Model], plans: list[Plan], suffix: str) -> None:
    batch, expected, refused = [], [], set()
    for plan in plans:
        model = models[plan.room]
        epoch, after = model.epoch - plan.late, max(0, len(model.entries) + plan.ahead)
        added = [
            Entry(n, epoch, entry.at, entry.seat, entry.client_id, entry.body)
            for n, entry in enumerate(plan.entries, after + 1)
        ]
        batch.append(Work(epoch, after, line(plan.room + suffix), added, plan.snapshot, plan.said))
        if (epoch, after) != (model.epoch, len(model.entries)):
            refused.add(plan.room)
        expected.append(Outcome.STALE if plan.room in refused else Outcome.DONE)
        if plan.room not in refused:
            model.entries += added
            if plan.snapshot is not None:
                model.snapshot = Snapshot(len(model.entries), plan.snapshot)
            model.said += [
                Said(each.at, each.sender, each.to, each.text, m)
                for m, each in enumerate(plan.said, len(model.said) + 1)
            ]
    assert await store.commit(batch) == expected


def _same(stored: Stored, model: Model, suffix: str) -> None:
    model.epoch += 1
    assert (stored.epoch, stored.n, stored.snapshot) == (model.epoch, len(model.entries), model.snapshot)
    assert stored.entries == model.entries[model.snapshot.n if model.snapshot else 0 :]
    assert stored.created + suffix.encode() == stored.line.room.encode()
