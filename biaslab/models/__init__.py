"""Who answers: servers, local transformers, the tiny models, simulated learners.

Importing this package imports neither torch nor transformers nor openai; that happens when a
local or tiny model is opened, or a server is asked.
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
from biaslab.models.learner.model import LearnerModel
from biaslab.models.learner.named import LEARNERS, learner_spec
from biaslab.models.learner.solver import Learner
from biaslab.models.provider import AnswerSource, ModelChoice, ModelQuery, Opening, Provider
from biaslab.models.requests import (
    Asked,
    Channel,
    Completion,
    Concurrent,
    Failure,
    FailureKind,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    Model,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Notice,
    Result,
    Sampling,
    Watchable,
)
from biaslab.models.server import BadAddress, MissingKey, ServerModel, read_key
from biaslab.models.skills import EVERY_SKILL, WORD_PROBLEMS, Skill
from biaslab.models.spec import (
    Spec,
    full_spec,
    identify,
    list_models,
    open_model,
    read_spec,
    token_counter,
)
from biaslab.models.tiny.model import (
    Ability,
    AbilityVerdict,
    CardEffect,
    ModelCard,
    UnseenAccuracy,
    read_card,
)

__all__ = [
    "AT_ONCE",
    "EVERY_SKILL",
    "LEARNERS",
    "MOST_AT_ONCE",
    "OPENAI_URL",
    "TYPED_KEY",
    "WORD_PROBLEMS",
    "Ability",
    "AbilityVerdict",
    "Access",
    "AnswerSource",
    "Asked",
    "BadAddress",
    "BrokenModel",
    "CardEffect",
    "Channel",
    "Completion",
    "Concurrent",
    "Endpoint",
    "Failure",
    "FailureKind",
    "GenerationRequest",
    "Learner",
    "LearnerModel",
    "Likelihood",
    "LikelihoodRequest",
    "Message",
    "MissingKey",
    "Model",
    "ModelCard",
    "ModelChoice",
    "ModelError",
    "ModelForm",
    "ModelIdentity",
    "ModelKind",
    "ModelNotFound",
    "ModelQuery",
    "Notice",
    "Opening",
    "Provider",
    "Result",
    "Sampling",
    "ServerModel",
    "Skill",
    "Spec",
    "UnknownModel",
    "UnseenAccuracy",
    "Unsupported",
    "Watchable",
    "full_spec",
    "identify",
    "learner_spec",
    "list_models",
    "open_model",
    "read_card",
    "read_key",
    "read_spec",
    "token_counter",
]
