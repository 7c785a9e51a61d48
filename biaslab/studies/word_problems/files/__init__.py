"""Files of pairs: tables read and checked, exports written."""

from biaslab.studies.word_problems.custom.imported import ProofStatus
from biaslab.studies.word_problems.files.exporting import (
    PAIR_EXPORTS,
    PairExportSettings,
    PairForm,
    export_pairs,
)
from biaslab.studies.word_problems.files.importing import (
    holds_pairs,
    import_pairs,
    read_pairs,
    why_no_pairs,
)
from biaslab.studies.word_problems.files.layouts import (
    PAIR_FIELDS,
    PairLayout,
    likely_mapping,
    released_layout,
    suggest_pairs,
)
from biaslab.studies.word_problems.files.report import (
    MemberReport,
    PairImport,
    RowReport,
    rows_of_json,
)
from biaslab.studies.word_problems.files.worksheet import Members

__all__ = [
    "PAIR_EXPORTS",
    "PAIR_FIELDS",
    "MemberReport",
    "Members",
    "PairExportSettings",
    "PairForm",
    "PairImport",
    "PairLayout",
    "ProofStatus",
    "RowReport",
    "export_pairs",
    "holds_pairs",
    "import_pairs",
    "likely_mapping",
    "read_pairs",
    "released_layout",
    "rows_of_json",
    "suggest_pairs",
    "why_no_pairs",
]
