"""Past runs: kept in a database of the user's, searched, opened and edited."""

from ptc_studio.storage.history.database import HistoryError
from ptc_studio.storage.history.past_runs import History, PastRun, Query, RunSummary
from ptc_studio.storage.history.recorder import (
    HistoryRecorder,
    RunStart,
    definitions_of,
    kept,
    recorder_for,
    start_of_call,
    start_of_run,
)

__all__ = [
    "History",
    "HistoryError",
    "HistoryRecorder",
    "PastRun",
    "Query",
    "RunStart",
    "RunSummary",
    "definitions_of",
    "kept",
    "recorder_for",
    "start_of_call",
    "start_of_run",
]
