"""Letters between nodes when traces are on: their headers say to which trace a message of a client belongs."""

from collections.abc import Mapping, Sequence
from typing import Final

from opentelemetry.trace import Span, SpanKind, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from server.cluster.leased import clock
from server.cluster.mail import Mail
from server.cluster.words import Ack, Ask, Word
from server.eyes.meters import Meters
from server.eyes.traces import Traces
from server.rooms.hall import Spawn

HEADER: Final = "traceparent"
LOST_SECONDS: Final = 10
"""After so long nobody will acknowledge a message any more."""

_propagator = TraceContextTextMapPropagator()


class TracedMail(Mail):
    """A span for every message that is taken to another node, `forward`, until that has acknowledged it."""

    def __init__(self, url: str, node: str, spawn: Spawn, meters: Meters, traces: Traces) -> None:
        super().__init__(url, node, spawn, meters)
        self._traces = traces
        self._on_their_way: dict[int, tuple[Span, float]] = {}

    def say(self, node: str, word: Word) -> None:
        """Tell a node something."""
        if isinstance(word, Ask):
            self._forget_lost()
            about = {"marchwarden.room": word.message.room, "marchwarden.to": node}
            span = self._traces.tracer.start_span("forward", kind=SpanKind.CLIENT, attributes=about)
            self._on_their_way[word.number] = span, clock()
        super().say(node, word)

    def headers(self, words: Sequence[Word]) -> dict[str, str] | None:
        """For every message of a client in a letter the trace that it belongs to."""
        found = dict[str, str]()
        for word in words:
            if isinstance(word, Ask) and word.number in self._on_their_way:
                carrier = dict[str, str]()
                _propagator.inject(carrier, set_span_in_context(self._on_their_way[word.number][0]))
                if HEADER in carrier:
                    found[f"{HEADER}-{word.number}"] = carrier[HEADER]
        return found or None

    def hear(self, node: str, word: Word, headers: Mapping[str, str] | None) -> None:
        """Another node says something."""
        if isinstance(word, Ask) and headers and (parent := headers.get(f"{HEADER}-{word.number}")):
            with self._traces.under(_propagator.extract({HEADER: parent})):
                super().hear(node, word, headers)
            return
        if isinstance(word, Ack) and (sent := self._on_their_way.pop(word.number, None)):
            sent[0].set_attribute("marchwarden.taken", word.taken)
            sent[0].end()
        super().hear(node, word, headers)

    def _forget_lost(self) -> None:
        now = clock()
        while self._on_their_way:
            number = next(iter(self._on_their_way))
            span, since = self._on_their_way[number]
            if now - since < LOST_SECONDS:
                return
            span.set_attribute("marchwarden.taken", False)
            span.end()
            del self._on_their_way[number]
