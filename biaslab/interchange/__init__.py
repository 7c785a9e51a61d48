"""Files in and out: released data sets, teachers' formats, worksheets.

report = import_file(Path("train.csv"))
report.summary()        # "1869 rows: 1842 items (0 usable ..., 1842 not), 27 refused."
report.refused[0]       # Row 17 (q16): option B is the same as the right option C.
export_items(report.items, "gift").content
"""

from biaslab.interchange.columns import FIELDS
from biaslab.interchange.decision_columns import CASE_COLUMNS, RESULT_COLUMNS
from biaslab.interchange.errors import InterchangeError
from biaslab.interchange.exporting import EXPORTS, Export, export_items
from biaslab.interchange.exporting_decisions import cases_csv, results_csv
from biaslab.interchange.exporting_pairs import (
    PAIR_EXPORTS,
    PairExportSettings,
    PairForm,
    export_pairs,
)
from biaslab.interchange.importing import FORMATS, import_bytes, import_file
from biaslab.interchange.importing_decisions import (
    DecisionImport,
    ImportedDecision,
    import_decisions,
)
from biaslab.interchange.item_files import read_item_file, write_items
from biaslab.interchange.items import (
    ImportedItem,
    as_imported,
    read_imported,
    write_imported,
)
from biaslab.interchange.pair_columns import PAIR_FIELDS, likely_mapping
from biaslab.interchange.pair_files import (
    PairTable,
    holds_pairs,
    import_pairs,
    open_table,
    read_pairs,
)
from biaslab.interchange.pair_layouts import PairLayout, released_layout
from biaslab.interchange.pair_members import Members
from biaslab.interchange.pair_report import MemberReport, PairImport, Status
from biaslab.interchange.report import ImportReport, RefusedRow, Remark

__all__ = [
    "CASE_COLUMNS",
    "EXPORTS",
    "FIELDS",
    "FORMATS",
    "PAIR_EXPORTS",
    "PAIR_FIELDS",
    "RESULT_COLUMNS",
    "DecisionImport",
    "Export",
    "ImportReport",
    "ImportedDecision",
    "ImportedItem",
    "InterchangeError",
    "MemberReport",
    "Members",
    "PairExportSettings",
    "PairForm",
    "PairImport",
    "PairLayout",
    "PairTable",
    "RefusedRow",
    "Remark",
    "Status",
    "as_imported",
    "cases_csv",
    "export_items",
    "export_pairs",
    "holds_pairs",
    "import_bytes",
    "import_decisions",
    "import_file",
    "import_pairs",
    "likely_mapping",
    "open_table",
    "read_imported",
    "read_item_file",
    "read_pairs",
    "released_layout",
    "results_csv",
    "write_imported",
    "write_items",
]
