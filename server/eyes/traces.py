"""OpenTelemetry traces of what clients ask. Nothing else imports the SDK, and this is imported only when traces are on.

A command is a trace: the request, within it `validate`, `commit` and `reveal`. On another node it goes on under the same id.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, Tracer, set_span_in_context

from protocol.messages import AnswerPrompt

SERVICE = "marchwarden"


class Command:
    """What a client asked, from the moment at which it was read until everybody concerned has been told."""

    def __init__(self, tracer: Tracer, message: Struct, parent: Context | None) -> None:
        self._tracer = tracer
        about = {"marchwarden.room": str(getattr(message, "room", ""))}
        if isinstance(message, AnswerPrompt):
            about["marchwarden.kind"] = str(message.answer.__struct_config__.tag)
        name = str(message.__struct_config__.tag)
        self._span = tracer.start_span(name, parent, kind=SpanKind.SERVER, attributes=about)
        self._context = set_span_in_context(self._span)
        self._validating: Span | None = self.part("validate")
        self._open = 1

    def part(self, name: str) -> Span:
        """Begin a part of it; one that costs nothing if the whole is not kept."""
        if not self._span.is_recording():
            return INVALID_SPAN
        return self._tracer.start_span(name, self._context)

    def validated(self) -> None:
        """It is decided what becomes of it."""
        if self._validating is not None:
            self._validating.end()
            self._validating = None

    def goes_on(self) -> None:
        """Something of it is still to come; `done` must follow."""
        self._open += 1

    def done(self) -> None:
        """Something of it is done; when all is, it is over."""
        self._open -= 1
        if not self._open:
            self._span.end()


class Traces:
    """The traces of one node, on a provider of its own."""

    def __init__(self, provider: TracerProvider) -> None:
        self.tracer = provider.get_tracer(SERVICE)
        self.current: Command | None = None
        """What is being decided at the moment; None whenever nobody's request is."""
        self.parent: Context | None = None
        """The trace of another node that what is being asked belongs to."""
        self._provider = provider

    @contextmanager
    def command(self, message: Struct) -> Iterator[None]:
        """While a message is served. What outlives that says so to the command."""
        before, self.current = self.current, Command(self.tracer, message, self.parent)
        command = self.current
        try:
            yield
        finally:
            self.current = before
            command.validated()
            command.done()

    @contextmanager
    def under(self, parent: Context) -> Iterator[None]:
        """While something is served that another node asks for."""
        self.parent = parent
        try:
            yield
        finally:
            self.parent = None

    def close(self) -> None:
        """Send what is left. That may take some seconds, and blocks."""
        self._provider.shutdown()


def to_collector(node: str) -> Traces:
    """Traces that go where the environment says: `OTEL_EXPORTER_OTLP_ENDPOINT` and whatever else the SDK knows."""
    resource = Resource.create({"service.name": SERVICE, "service.instance.id": node})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Traces(provider)
