"""Files in and out: released data sets, teachers' formats, worksheets.

report = import_file(Path("train.csv"))
report.summary()        # "1869 rows: 1842 items (0 usable ..., 1842 not), 27 refused."
report.refused[0]       # Row 17 (q16): option B is the same as the right option C.
export_items(report.items, "gift").content
"""

from biaslab.files.checking import ImportReport, RefusedRow, Remark
from biaslab.files.columns import FIELDS
from biaslab.files.errors import InterchangeError
from biaslab.files.exporting import EXPORTS, Export, export_items
from biaslab.files.importing import FORMATS, import_bytes, import_file
from biaslab.files.items import (
    ImportedItem,
    as_imported,
    read_imported,
    read_item_file,
    write_imported,
    write_items,
)

__all__ = [
    "EXPORTS",
    "FIELDS",
    "FORMATS",
    "Export",
    "ImportReport",
    "ImportedItem",
    "InterchangeError",
    "RefusedRow",
    "Remark",
    "as_imported",
    "export_items",
    "import_bytes",
    "import_file",
    "read_imported",
    "read_item_file",
    "write_imported",
    "write_items",
]
