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
from biaslab.studies.decisions.biases.dealing import CaseDeal, DealtCase, case_count
from biaslab.studies.decisions.biases.errors import BiasError
from biaslab.studies.decisions.biases.files import read_bias
from biaslab.studies.decisions.biases.filling import Case, FilledArm, draw_values, fill
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
    FidelityVerdict,
    MovementWords,
    Vignette,
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
