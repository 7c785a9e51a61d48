"""The audit of a corpus of word problems: what share is what, how sure, and what is not told."""

from biaslab.audit.auditing import (
    LEAST_TOLD,
    LONGEST_TEXT,
    MOST_TEXTS,
    OPERATIONS,
    Audit,
    AuditedText,
    AuditError,
    AuditFeature,
    AuditShare,
    PublicCorpus,
    SignalWord,
    audit,
    public_corpora,
    ratios,
)
from biaslab.audit.features import SIGNAL_WORDS

__all__ = [
    "LEAST_TOLD",
    "LONGEST_TEXT",
    "MOST_TEXTS",
    "OPERATIONS",
    "SIGNAL_WORDS",
    "Audit",
    "AuditError",
    "AuditFeature",
    "AuditShare",
    "AuditedText",
    "PublicCorpus",
    "SignalWord",
    "audit",
    "public_corpora",
    "ratios",
]
