"""Models on OpenAI-compatible servers: OpenAI, vLLM, llama.cpp, Ollama and the like.

Importing this package imports no client library; that happens when a server is asked.
"""

from biaslab.models.server.addresses import BadAddress
from biaslab.models.server.keys import MissingKey, read_key
from biaslab.models.server.model import ServerModel

__all__ = ["BadAddress", "MissingKey", "ServerModel", "read_key"]
