"""Who answers: local transformers, the tiny models, simulated learners.

Importing this package imports neither torch nor transformers; `open_model` does so when it
opens a local or tiny model.
"""

from biaslab.models.access import (
    AT_ONCE,
    MOST_AT_ONCE,
    OPENAI_URL,
    TYPED_KEY,
    Access,
    Endpoint,
)
from biaslab.models.errors import (
    BrokenModel,
    ModelError,
    ModelNotFound,
    UnknownModel,
    Unsupported,
)
from biaslab.models.learner import Learner, LearnerModel
from biaslab.models.named_learners import LEARNERS
from biaslab.models.opening import ModelChoice, identify, list_models, open_model
from biaslab.models.requests import (
    Channel,
    Completion,
    Concurrent,
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
from biaslab.models.tiny import Ability, Accuracy, ModelCard, Verdict, read_card

__all__ = [
    "AT_ONCE",
    "LEARNERS",
    "MOST_AT_ONCE",
    "OPENAI_URL",
    "TYPED_KEY",
    "Ability",
    "Access",
    "Accuracy",
    "BrokenModel",
    "Channel",
    "Completion",
    "Concurrent",
    "Endpoint",
    "Failure",
    "GenerationRequest",
    "Learner",
    "LearnerModel",
    "Likelihood",
    "LikelihoodRequest",
    "Message",
    "Model",
    "ModelCard",
    "ModelChoice",
    "ModelError",
    "ModelForm",
    "ModelIdentity",
    "ModelKind",
    "ModelNotFound",
    "Sampling",
    "UnknownModel",
    "Unsupported",
    "Verdict",
    "identify",
    "list_models",
    "open_model",
    "read_card",
]
