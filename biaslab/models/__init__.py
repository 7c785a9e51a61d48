"""Who answers: local transformers, the tiny models, simulated learners."""

from biaslab.models.errors import (
    BrokenModel,
    ModelError,
    ModelNotFound,
    UnknownModel,
    Unsupported,
)
from biaslab.models.requests import (
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    Model,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Sampling,
)

__all__ = [
    "BrokenModel",
    "Completion",
    "Failure",
    "GenerationRequest",
    "Likelihood",
    "LikelihoodRequest",
    "Message",
    "Model",
    "ModelError",
    "ModelForm",
    "ModelIdentity",
    "ModelKind",
    "ModelNotFound",
    "Sampling",
    "UnknownModel",
    "Unsupported",
]
