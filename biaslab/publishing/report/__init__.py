"""What was found as one file that opens in any browser, without a network.

report = report_of_runs(store, ["0123456789ab"])
Path("report.html").write_bytes(page(report))
"""

from biaslab.publishing.report.classes import report_of_class
from biaslab.publishing.report.content import (
    AnswerMark,
    Entry,
    Items,
    Report,
    ReportAnswer,
    ReportExchange,
    ReportFinding,
    ReportPart,
    ReportPicture,
    ReportTable,
    Section,
)
from biaslab.publishing.report.page import page
from biaslab.publishing.report.rooms import report_of_room
from biaslab.publishing.report.runs import report_of_runs

__all__ = [
    "AnswerMark",
    "Entry",
    "Items",
    "Report",
    "ReportAnswer",
    "ReportExchange",
    "ReportFinding",
    "ReportPart",
    "ReportPicture",
    "ReportTable",
    "Section",
    "page",
    "report_of_class",
    "report_of_room",
    "report_of_runs",
]
