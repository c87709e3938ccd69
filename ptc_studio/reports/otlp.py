"""A run as OpenTelemetry spans, by the official SDK: a span for the script and one for each call, as GenAI has them."""

import base64
import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf import json_format
from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.trace import SpanKind, Status, StatusCode

from ptc_studio import __version__
from ptc_studio.core.trace import CallRecord
from ptc_studio.reports.formats import ReportError
from ptc_studio.storage.history import PastRun

BATCH = 500
SECONDS = 10
# What went wrong is told once, by `send`, and not at each attempt.
logging.getLogger(OTLPSpanExporter.__module__).disabled = True


class _RunIds(IdGenerator):
    """The same ids whenever a run is exported, so that a collector that gets it twice shows it once."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._spans = 0

    def generate_trace_id(self) -> int:
        return int.from_bytes(self._digest("trace")[:16]) or 1

    def generate_span_id(self) -> int:
        self._spans += 1
        return int.from_bytes(self._digest(str(self._spans))[:8]) or 1

    def _digest(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._run_id}/{text}".encode()).digest()


def spans_of(past: PastRun) -> Sequence[ReadableSpan]:
    """Every span of the run, the script's own first."""
    summary = past.summary
    kept = InMemorySpanExporter()
    provider = TracerProvider(
        resource=Resource.create({"service.name": "ptc-studio", "service.version": __version__}),
        id_generator=_RunIds(summary.run_id),
        span_limits=SpanLimits(max_attribute_length=SpanLimits.UNSET),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracer = provider.get_tracer("ptc_studio", __version__)
    began = round(summary.started * 1e9)
    root = tracer.start_span(
        "execute_tool code_execution", context.Context(), SpanKind.INTERNAL, _of_run(past), start_time=began
    )
    spans: dict[str | None, Any] = {None: root}
    for call in past.record["calls"]:
        parent = trace.set_span_in_context(spans.get(call["parent_id"], root), context.Context())
        name = call["alias"] or call["tool"]
        spans[call["id"]] = tracer.start_span(
            f"execute_tool {name}",
            parent,
            SpanKind.INTERNAL,
            _of_call(call),
            start_time=began + _nanoseconds(call["started_ms"]),
        )
    _end_all(past, spans, began)
    provider.shutdown()
    return sorted(kept.get_finished_spans(), key=lambda span: (span.start_time or 0, span.parent is not None))


def _end_all(past: PastRun, spans: dict[str | None, Span], began: int) -> None:
    for call in reversed(past.record["calls"]):
        span = spans[call["id"]]
        if call["error"]:
            span.set_attribute("error.type", call["error"]["type"])
            span.set_status(Status(StatusCode.ERROR, str(call["error"]["message"])))
        span.end(began + _nanoseconds(call["started_ms"] + (call["duration_ms"] or 0.0)))
    error, root = past.record["error"], spans[None]
    if past.summary.status != "ok":
        root.set_attribute("error.type", error["type"] if error else past.summary.status)
        root.set_status(Status(StatusCode.ERROR, str(error["message"]) if error else past.summary.status))
    root.end(began + _nanoseconds(past.summary.duration_ms or 0.0))


def _of_run(past: PastRun) -> dict[str, Any]:
    summary, cost = past.summary, past.record.get("cost")
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "code_execution",
        "gen_ai.tool.type": "extension",
        "gen_ai.tool.call.id": summary.run_id,
        "gen_ai.tool.call.arguments": json.dumps({"code": past.code}, ensure_ascii=False),
        "gen_ai.tool.call.result": past.record["stdout"],
        "ptc.runtime": summary.runtime or "",
        "ptc.target": summary.target or "",
        "ptc.status": summary.status,
        "ptc.calls": len(past.record["calls"]),
    }
    return attributes | ({f"ptc.cost.{key}": value for key, value in cost.items()} if cost else {})


def _of_call(call: CallRecord) -> dict[str, Any]:
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call["alias"] or call["tool"],
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call["id"],
        "gen_ai.tool.call.arguments": json.dumps(call["arguments"], ensure_ascii=False),
        "ptc.tool": call["tool"],
        "ptc.source": call["source"] or "",
        "ptc.status": call["status"] or "",
        "ptc.depth": call["depth"],
        "ptc.answered_by": call["answered_by"] or "",
        "ptc.redactions": len(call["redactions"]),
    }
    if call["status"] == "ok":
        attributes["gen_ai.tool.call.result"] = json.dumps(call["result"], ensure_ascii=False)
    if call["line"]:
        attributes["code.line.number"] = call["line"]
    return attributes


def otlp_json(past: PastRun) -> dict[str, Any]:
    """The spans as OTLP's JSON has them: ids in hexadecimal."""
    document = json_format.MessageToDict(encode_spans(spans_of(past)), use_integers_for_enums=True)
    for span in _spans_in(document):
        for key in ("traceId", "spanId", "parentSpanId"):
            if key in span:
                span[key] = base64.b64decode(span[key]).hex()
    return document


def _spans_in(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in document.get("resourceSpans", ()):
        for scope in resource.get("scopeSpans", ()):
            yield from scope.get("spans", ())


def send(past: PastRun, endpoint: str | None = None, seconds: float = SECONDS) -> int:
    """Sends the spans over HTTP: to this address, or where OpenTelemetry's own variables say; gives how many."""
    spans = spans_of(past)
    exporter = OTLPSpanExporter(endpoint=endpoint, timeout=seconds)
    try:
        for at in range(0, len(spans), BATCH):
            if exporter.export(spans[at : at + BATCH]) is not SpanExportResult.SUCCESS:
                where = endpoint or "the collector that OTEL_EXPORTER_OTLP_ENDPOINT names"
                raise ReportError(f"{where} did not take the spans: is a collector listening there for OTLP over HTTP?")
    finally:
        exporter.shutdown()
    return len(spans)


def _nanoseconds(milliseconds: float) -> int:
    return round(milliseconds * 1e6)
