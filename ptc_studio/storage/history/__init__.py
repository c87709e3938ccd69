"""Past runs: kept in a database of the user's, searched, opened and edited."""

from ptc_studio.storage.history.database import HistoryError
from ptc_studio.storage.history.past_runs import History, PastRun, Query, RunSummary
from ptc_studio.storage.history.recorder import HistoryRecorder, RunStart, recorder_for
from ptc_studio.storage.history.run_keeper import RunKeeper

__all__ = [
    "History",
    "HistoryError",
    "HistoryRecorder",
    "PastRun",
    "Query",
    "RunKeeper",
    "RunStart",
    "RunSummary",
    "recorder_for",
]
