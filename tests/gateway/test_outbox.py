"""The bounded queue of one connection."""

from hypothesis import given
from hypothesis import strategies as st

from server.gateway.outbox import Close, Outbox, Stale


def outbox(frames: int = 4, size: int = 1000) -> Outbox:
    return Outbox(frames, size, lambda: None)


def drained(box: Outbox) -> list[object]:
    taken = []
    while (item := box.next()) is not None:
        taken.append(item)
        if isinstance(item, Close):
            break
    return taken


def test_frames_come_out_in_order() -> None:
    box = outbox()
    box.reply(b"ok")
    box.post("r", b"1", fresh=False)
    box.post("q", b"2", fresh=False)
    assert drained(box) == [b"ok", b"1", b"2"]


def test_a_full_queue_keeps_replies_and_owes_snapshots() -> None:
    box = outbox()
    box.post("r", b"1", fresh=False)
    box.reply(b"token")
    box.post("q", b"2", fresh=False)
    box.post("r", b"3", fresh=False)
    box.post("r", b"4", fresh=False)
    assert drained(box) == [b"token", Stale("r"), Stale("q")]


def test_a_queue_is_bounded_in_bytes_too() -> None:
    box = outbox(size=10)
    box.post("r", b"12345", fresh=False)
    box.post("r", b"123456", fresh=False)
    assert drained(box) == [Stale("r")]


def test_a_burst_is_handed_to_a_socket_that_takes_it() -> None:
    box, taken = outbox(), list[object]()

    def relieve() -> None:
        while (frame := box.frame()) is not None:
            taken.append(frame)

    box.relieve = relieve
    for number in range(100):
        box.post("r", b"%d" % number, fresh=False)
        box.reply(b"ok")
    assert [*taken, *drained(box)] == [each for number in range(100) for each in (b"%d" % number, b"ok")]


def test_a_burst_is_thinned_out_where_the_socket_takes_only_some_of_it() -> None:
    box, taken = outbox(), list[object]()
    box.relieve = lambda: taken.extend([box.frame()] if len(taken) < 2 else [])
    for number in range(8):
        box.post("r", b"%d" % number, fresh=False)
    assert taken == [b"0", b"1"]
    assert drained(box) == [Stale("r")]


def test_letters_of_a_stale_room_are_dropped_until_its_snapshot() -> None:
    box = outbox()
    for number in range(5):
        box.post("r", b"%d" % number, fresh=False)
    box.post("r", b"lost", fresh=False)
    box.post("q", b"kept", fresh=False)
    assert drained(box) == [b"kept", Stale("r")]
    box.post("r", b"lost too", fresh=False)
    box.post("r", b"snapshot", fresh=True)
    box.post("r", b"next", fresh=False)
    assert drained(box) == [b"snapshot", b"next"]


def test_whoever_has_caught_up_starts_afresh() -> None:
    box = outbox()
    for _ in range(10):
        for number in range(5):
            box.post("r", b"%d" % number, fresh=False)
        assert drained(box) == [Stale("r")]
        box.post("r", b"snapshot", fresh=True)
        assert drained(box) == [b"snapshot"]
    assert box.closing is None


def test_S90_losing_as_much_again_is_the_end() -> None:
    box = outbox()
    for _ in range(5):
        box.post("r", b"1", fresh=False)
    for _ in range(4):
        box.post("r", b"1", fresh=False)
    assert box.closing is None
    box.post("r", b"1", fresh=False)
    assert box.overrun
    closing = box.next()
    assert isinstance(closing, Close)
    assert closing.code == 1013


def test_S90_a_second_overflow_is_the_end() -> None:
    box = outbox()
    for _ in range(5):
        box.post("r", b"1", fresh=False)
    for _ in range(4):
        box.post("q", b"1", fresh=False)
    assert box.closing is None
    box.post("q", b"1", fresh=False)
    assert box.overrun


def test_replies_alone_can_be_too_much() -> None:
    box = outbox()
    for _ in range(5):
        box.reply(b"ok")
    assert box.overrun
    assert isinstance(box.next(), Close)


def test_closing_writes_what_waits_and_takes_nothing_more() -> None:
    box = outbox()
    box.reply(b"error")
    box.close(1008, "why")
    box.close(1002, "another")
    box.reply(b"late")
    box.post("r", b"late", fresh=False)
    assert drained(box) == [b"error", Close(1008, "why")]


def test_a_room_that_was_left_owes_nothing() -> None:
    box = outbox()
    for _ in range(5):
        box.post("r", b"1", fresh=False)
    assert drained(box) == [Stale("r")]
    box.forget("r")
    box.post("r", b"2", fresh=False)
    assert drained(box) == [b"2"]


def test_there_is_a_wake_up_for_everything_to_do() -> None:
    woken: list[int] = []
    box = Outbox(1, 100, lambda: woken.append(1))
    box.reply(b"1")
    box.post("r", b"2", fresh=False)
    box.close(1000, "")
    assert len(woken) >= 3


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("post"), st.sampled_from("rq"), st.integers(1, 400)),
        st.tuples(st.just("reply"), st.just(""), st.integers(1, 400)),
        st.tuples(st.just("take"), st.just(""), st.just(0)),
    ),
    max_size=200,
)


@given(OPERATIONS)
def test_S90_memory_is_bounded_and_no_room_has_a_gap(operations: list[tuple[str, str, int]]) -> None:
    """Whatever comes in whatever order: bounds hold, and what a reader sees of a room is contiguous or begins anew."""
    box = outbox()
    sent = {"r": 0, "q": 0}
    seen = {"r": 0, "q": 0}

    def take() -> bool:
        match box.next():
            case Stale(room):
                box.post(room, f"{room} {sent[room]} fresh".encode(), fresh=True)
            case bytes() as frame if frame.split()[0].decode() in seen:
                room, number, *fresh = frame.decode().split()
                assert bool(fresh) or int(number) == seen[room] + 1
                seen[room] = int(number)
            case None | Close():
                return False
        return True

    for what, room, size in operations:
        if what == "post":
            sent[room] += 1
            box.post(room, f"{room} {sent[room]}".encode() + b" " * size, fresh=False)
        elif what == "reply":
            box.reply(b"ok" * size)
        else:
            take()
        assert len(box._waiting) <= 4
        assert box._bytes <= 1000
        assert box._bytes == sum(len(waiting.frame) for waiting in box._waiting)
    while take():
        pass
    assert box.closing is not None or seen == sent


def test_what_may_not_be_written_any_more_is_made_up_for_by_a_snapshot() -> None:
    box, gone = outbox(10), {"r"}
    box.guard = lambda room: room not in gone
    for frame in (b"1", b"2"):
        box.post("r", frame, fresh=False)
        box.post("q", frame, fresh=False)
    box.reply(b"ok")
    assert box.next() == b"1"  # of q
    gone.clear()
    assert drained(box) == [b"2", b"ok", Stale("r")]
    box.post("r", b"3", fresh=False)
    box.post("r", b"snapshot", fresh=True)
    assert drained(box) == [b"snapshot"]
