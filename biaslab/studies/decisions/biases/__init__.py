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
    CheckFinding,
    LocatedFinding,
    WordDifference,
    check_bias,
    check_text,
    value_combinations,
    word_differences,
)
from biaslab.studies.decisions.biases.document import BiasError
from biaslab.studies.decisions.biases.files import read_bias
from biaslab.studies.decisions.biases.filling import (
    Case,
    CaseDeal,
    DealtCase,
    FilledArm,
    case_count,
    draw_values,
    fill,
)
from biaslab.studies.decisions.biases.template import (
    AskedCase,
    Bias,
    Chance,
    Fidelity,
    FidelityVerdict,
    Metric,
    MovementWords,
    Vignette,
    by_chance,
    standard_error,
)

__all__ = [
    "AskedCase",
    "Bias",
    "BiasError",
    "Case",
    "CaseDeal",
    "Chance",
    "CheckFinding",
    "CheckedText",
    "DealtCase",
    "Fidelity",
    "FidelityVerdict",
    "FilledArm",
    "LocatedFinding",
    "Metric",
    "MovementWords",
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
