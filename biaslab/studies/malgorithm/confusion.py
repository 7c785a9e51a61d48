"""Which rationale was taken for which: the mal-rule that led to a choice, and the one named."""

from __future__ import annotations

import pandas as pd

from biaslab.studies.malgorithm.answers import check_items

KEY = "key"
"""The right way, where rules are named."""

UNREADABLE = "unreadable"
"""No label could be read."""


def confusion(items: pd.DataFrame) -> pd.DataFrame:
    """How often each rule was taken for each other one, of all runs in the table together.

    Args:
        items: as for `biaslab.studies.malgorithm.results.identifications`.

    Returns:
        columns ``rule`` (that led to the choice: an id, or ``key``), ``named`` (the rule whose
        rationale was named: an id, ``key`` or ``unreadable``) and ``answers`` (how many). Only
        what occurs; sorted. What failed or has not been asked is left out.

    Raises:
        BrokenOutcomes: as for `identifications`.
    """
    check_items(items)
    back = items[items["state"].isin(("answered", "invalid"))]
    named = [
        facts["rules"][value] if state == "answered" else UNREADABLE
        for facts, value, state in zip(back["facts"], back["value"], back["state"], strict=True)
    ]
    rule = [facts["rules"][facts["right"]] for facts in back["facts"]]
    counted = pd.DataFrame({"rule": rule, "named": named}, dtype=object).value_counts()
    table = counted.rename("answers").reset_index()
    return table.sort_values(["rule", "named"], ignore_index=True)
