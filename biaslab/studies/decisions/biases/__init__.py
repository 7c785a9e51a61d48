"""Biases as templates in two arms: files, filling, checks and the published metric."""

from biaslab.studies.decisions.biases.catalogue import (
    bias,
    bias_paths,
    biases,
    check_given,
    load_bias,
    scales,
)
from biaslab.studies.decisions.biases.checking import (
    CheckedText,
    Finding,
    LocatedFinding,
    WordDifference,
    check_bias,
    check_text,
    value_combinations,
    word_differences,
)
from biaslab.studies.decisions.biases.dealing import CaseDeal, DealtCase, case_count
from biaslab.studies.decisions.biases.errors import BiasError
from biaslab.studies.decisions.biases.files import read_bias
from biaslab.studies.decisions.biases.filling import Arm, Case, draw_values, fill
from biaslab.studies.decisions.biases.metric import (
    AskedCase,
    Chance,
    Metric,
    by_chance,
    standard_error,
)
from biaslab.studies.decisions.biases.template import (
    Bias,
    Fidelity,
    MovementWords,
    Verdict,
    Vignette,
)

__all__ = [
    "Arm",
    "AskedCase",
    "Bias",
    "BiasError",
    "Case",
    "CaseDeal",
    "Chance",
    "CheckedText",
    "DealtCase",
    "Fidelity",
    "Finding",
    "LocatedFinding",
    "Metric",
    "MovementWords",
    "Verdict",
    "Vignette",
    "WordDifference",
    "bias",
    "bias_paths",
    "biases",
    "by_chance",
    "case_count",
    "check_bias",
    "check_given",
    "check_text",
    "draw_values",
    "fill",
    "load_bias",
    "read_bias",
    "scales",
    "standard_error",
    "value_combinations",
    "word_differences",
]
