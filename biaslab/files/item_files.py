"""Files of items with a JSON object per line: the bank's and imported ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from biaslab.files.decoding import decode, read_bytes
from biaslab.files.errors import InterchangeError
from biaslab.files.items import ImportedItem, read_imported, write_imported
from biaslab.malrules.bank import ChoiceItem, ItemError, check_item, read_item
from biaslab.text.given_files import parse_json


def write_items(items: Iterable[ImportedItem]) -> str:
    """A line of JSON for every item."""
    return "".join(f"{json.dumps(write_imported(item), ensure_ascii=False)}\n" for item in items)


def read_item_file(path: Path) -> Iterator[ImportedItem | ChoiceItem]:
    """The items of a JSONL file; those of the bank are worked again and compared.

    Raises:
        InterchangeError: a row is no item, or does not hold; the message names the row.
        OSError: the file cannot be read.
    """
    for number, line in enumerate(decode(read_bytes(path)).text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"Row {number} of {path.name}"
        try:
            content = parse_json(line)
        except ValueError as error:
            raise InterchangeError(
                f"{where} is no JSON object on one line. This command reads what "
                "`biaslab items` and `biaslab import` write."
            ) from error
        try:
            if isinstance(content, dict) and "problem" in content:
                item = read_item(content, where)
                check_item(item, where)
                yield item
            else:
                yield read_imported(content)
        except InterchangeError as error:
            raise InterchangeError(f"{where}: {error}") from error
        except ItemError as error:
            raise InterchangeError(str(error)) from error
