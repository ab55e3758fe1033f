"""What the log says and what it keeps to itself."""

import io
import json
import logging
import threading
from collections.abc import Iterator

import pytest
import structlog

from server.log import configure, explain


@pytest.fixture(autouse=True)
def put_back() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_json_where_nobody_sits() -> None:
    stream = io.StringIO()
    configure("info", stream)
    log = structlog.get_logger()
    log.info("seat_taken", room="abc", seat="stark")
    log.debug("unseen")
    (line,) = lines(stream)
    assert line["event"] == "seat_taken"
    assert (line["room"], line["seat"], line["level"]) == ("abc", "stark", "info")


def test_a_line_is_written_at_once_so_that_processes_may_share_a_stream() -> None:
    class Counting(io.StringIO):
        writes: list[str] = []  # noqa: RUF012 - of the one that there is

        def write(self, text: str) -> int:
            self.writes.append(text)
            return super().write(text)

    stream = Counting()
    configure("info", stream)
    structlog.get_logger().info("seat_taken")
    logging.getLogger("library").error("trouble")
    assert [text[-1:] for text in stream.writes] == ["\n", "\n"]


def test_a_line_is_for_people_on_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    configure("info", stream)
    structlog.get_logger().info("seat_taken", room="abc")
    assert "seat_taken" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_a_line_is_json_on_a_terminal_too_where_that_is_asked_for() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    configure("info", stream, json=True)
    structlog.get_logger().info("seat_taken", room="abc")
    assert lines(stream)[0]["room"] == "abc"


def test_every_line_names_the_node_also_those_of_libraries_in_threads() -> None:
    stream = io.StringIO()
    configure("info", stream, node="one")
    structlog.get_logger().info("seat_taken")
    library = threading.Thread(target=lambda: logging.getLogger("a.library").warning("no collector"))
    library.start()
    library.join()
    with structlog.contextvars.bound_contextvars(node="two"):
        structlog.get_logger().info("seat_taken")
    assert [line["node"] for line in lines(stream)] == ["one", "one", "two"]


def test_S24_secrets_are_blotted_out() -> None:
    stream = io.StringIO()
    configure("debug", stream)
    structlog.get_logger().info("oops", token="t0k3n", seed="s33d", orders={"riverrun": "march"})
    assert lines(stream)[0]["token"] == lines(stream)[0]["seed"] == lines(stream)[0]["orders"] == "[secret]"


def test_S24_libraries_log_no_text_of_exceptions_and_no_frames() -> None:
    stream = io.StringIO()
    configure("debug", stream)
    library = logging.getLogger("some.library")
    try:
        raise ValueError("t0k3n")
    except ValueError:
        library.error("it failed", exc_info=True)
    library.debug("< BINARY t0k3n")
    (line,) = lines(stream)
    assert (line["event"], line["fault"]) == ("it failed", "ValueError")
    assert "t0k3n" not in stream.getvalue().replace('ValueError(\\"t0k3n\\")', "")


def test_a_fault_is_its_kind_and_its_place() -> None:
    try:
        raise KeyError("riverrun")
    except KeyError as fault:
        told = explain(fault)
    assert told["fault"] == "KeyError"
    assert "test_log.py" in told["at"][0]
