"""Models on OpenAI-compatible servers as a kind of model: ``openai:NAME``."""

from __future__ import annotations

from biaslab.models.provider import AnswerSource, Opening, Provider
from biaslab.models.requests import ModelIdentity
from biaslab.models.server.model import PREFIX, ServerModel, identify_server


class ServerProvider(Provider):
    """Whatever model a server has; nobody can list those."""

    prefix = PREFIX
    form = f"{PREFIX}:NAME"
    source = AnswerSource.SERVER
    closed = (
        "is on a server. The probability of given numbers after every word is needed here, "
        "which some servers give (llama.cpp, vLLM): test it on the page Models, and it is offered "
        "here once its log-probabilities of any text were proved right"
    )
    unlisted = "any model of an OpenAI-compatible server (see `biaslab probe`)"

    def identify(self, name: str, how: Opening) -> ModelIdentity:
        """Which model the name means at the addresses; sends nothing."""
        return identify_server(name, how.access)

    def open(self, name: str, how: Opening) -> ServerModel:
        """The model; nothing is sent before something is asked."""
        return ServerModel(name, how.access)

    def check(self, name: str) -> str:
        """The name without space around it."""
        return name.strip()

    def short_name(self, name: str) -> str:
        """Its name on the server."""
        return name


PROVIDER = ServerProvider()
