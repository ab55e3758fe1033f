"""The metrics of a node as Prometheus reads them, made of its plain numbers when somebody asks."""

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Final

from msgspec import Struct
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from server.eyes.census import Census
from server.eyes.histogram import Histogram
from server.eyes.meters import Meters

KIND: Final = "text/plain; version=0.0.4"
"""The media type of what `text` gives; its charset is utf-8."""


class Exposition:
    """Writes the metrics of one node. Its registry is its own: two nodes in one process do not meet."""

    def __init__(self, meters: Meters, node: str) -> None:
        """`node` is the name of the node among others; empty if it is alone."""
        self._numbers = _Numbers(meters, node)
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(self._numbers)
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self, census: Census) -> bytes:
        """All metrics, with the node as it is now, in Prometheus's text format."""
        self._numbers.census = census
        return generate_latest(self._registry)


class _Numbers(Collector):
    def __init__(self, meters: Meters, node: str) -> None:
        self._meters = meters
        self._node = node
        self.census = Census()

    def describe(self) -> Iterable[Metric]:
        """Nothing: whoever registers it asks for no names."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """All metrics of the node but those of its process."""
        yield from self._now()
        yield from self._answers()
        yield from self._times()
        yield from self._others()

    def _now(self) -> Iterator[Metric]:
        now = self.census
        about = {"version": version("marchwarden"), "node": self._node}
        yield _gauge("marchwarden_info", "The version and the name of the node.", {tuple(about.values()): 1}, *about)
        yield _gauge("marchwarden_ready", "Whether new clients are welcome (1) or not (0).", {(): int(now.ready)})
        yield _gauge("marchwarden_rooms", "Rooms in memory, by phase.", _by(now.rooms), "phase")
        yield _gauge("marchwarden_rooms_limit", "Rooms that may be in memory (--max-rooms).", {(): now.max_rooms})
        stored = "Rooms in the store, asleep or in memory of any node, by phase; looked up once a minute."
        yield _gauge("marchwarden_rooms_stored", stored, _by(self._meters.stored), "phase")
        yield _gauge("marchwarden_rooms_frozen", "Rooms in memory that are frozen after a fault.", {(): now.frozen})
        quarantined = "Rooms whose log is damaged, that somebody asked for since the start."
        yield _gauge("marchwarden_rooms_quarantined", quarantined, {(): now.quarantined})
        seats = "Seats of rooms in memory that are not over: free, their player here or away, or played by a bot."
        yield _gauge("marchwarden_seats", seats, _by(now.seats), "state")
        yield _gauge("marchwarden_spectators", "Those who watch rooms in memory, once a room.", {(): now.spectators})
        yield _gauge("marchwarden_connections", "Open sockets of this node.", {(): now.connections})
        limit = "Sockets that may be open (--max-connections)."
        yield _gauge("marchwarden_connections_limit", limit, {(): now.max_connections})
        queued = "Bytes that wait to be sent to all connections."
        yield _gauge("marchwarden_queue_bytes", queued, {(): now.queue_bytes})
        longest = "Bytes that wait to be sent to the connection with the most."
        yield _gauge("marchwarden_queue_longest_bytes", longest, {(): now.queue_longest})

    def _answers(self) -> Iterator[Metric]:
        meters = self._meters
        answers = (
            "Answers by kind, by who gave them (player, bot, server) and by outcome: ok, or the code of the refusal."
        )
        found: dict[tuple[str, ...], float] = {
            (_tag(kind), by, outcome): count for (kind, by, outcome), count in meters.answers.items()
        }
        yield _counter("marchwarden_answers", answers, found, "kind", "by", "outcome")
        refusals = "Refused requests that are no answers, by type and code; what could not be read counts as `unread`."
        yield _counter("marchwarden_refusals", refusals, meters.refusals, "request", "code")
        resumes = (
            "Who entered a room: new to it, or back with what was missed from the ring or the log, or with a snapshot."
        )
        yield _counter("marchwarden_resumes", resumes, _by(meters.resumes, "new", "ring", "log", "snapshot"), "kind")

    def _times(self) -> Iterator[Metric]:
        meters = self._meters
        yield _histogram("marchwarden_commit_seconds", "Transactions of the journal.", meters.commit_seconds)
        delivery = "From the commit of a change to the moment at which a socket of this node is given it."
        yield _histogram("marchwarden_delivery_seconds", delivery, meters.delivery_seconds)
        yield _histogram("marchwarden_loop_lag_seconds", "By how much the event loop was late.", meters.lag_seconds)

    def _others(self) -> Iterator[Metric]:
        meters = self._meters
        writes = "What rooms asked to be written, by outcome: done, stale, unavailable or in_doubt."
        outcomes = _by(meters.commits, "done", "stale", "unavailable", "in_doubt")
        yield _counter("marchwarden_writes", writes, outcomes, "outcome")
        leases = "Leases of rooms that this node took, gave away, or lost before it was done with the room."
        yield _counter("marchwarden_leases", leases, _by(meters.leases, "taken", "given", "lost"), "change")
        failed = "Times that the leases could not be renewed."
        yield _counter("marchwarden_lease_renewals_failed", failed, {(): meters.renewals_failed})
        letters = "Letters to other nodes that were sent or could not be, and those of others that were missed."
        yield _counter("marchwarden_letters", letters, _by(meters.letters, "sent", "not_sent", "missed"), "what")
        unanswered = "Messages taken to another node that did not acknowledge them in time."
        yield _counter("marchwarden_letters_unanswered", unanswered, {(): meters.unanswered})
        yield _counter("marchwarden_nodes_silent", "Times that another node fell silent.", {(): meters.silent})
        yield _counter("marchwarden_rooms_froze", "Rooms that were frozen after a fault.", {(): meters.frozen})
        yield _counter(
            "marchwarden_faults", "Exceptions that must not happen; the log tells where.", {(): meters.faults}
        )


Values = Mapping[tuple[str, ...], float]


def _by(counts: Mapping[str, int], *names: str) -> Values:
    """Counts by one label; those that are named are there even if there were none, so that a rise from none is seen."""
    return {(name,): counts.get(name, 0) for name in (*names, *(key for key in counts if key not in names))}


def _gauge(name: str, about: str, values: Values, *labels: str) -> Metric:
    family = GaugeMetricFamily(name, about, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


def _counter(name: str, about: str, values: Values, *labels: str) -> Metric:
    family = CounterMetricFamily(name, about, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


def _histogram(name: str, about: str, histogram: Histogram) -> Metric:
    family = HistogramMetricFamily(name, about)
    family.add_metric((), buckets=histogram.buckets(), sum_value=histogram.total)
    return family


def _tag(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)
