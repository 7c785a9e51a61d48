"""Programs and services that speak OpenAI's language, with their usual addresses."""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.models import OPENAI_URL


@dataclass(frozen=True, slots=True)
class Preset:
    """One of them.

    Attributes:
        name: in the address of the page.
        label: on the page.
        url: where it is asked, unless somebody set it up otherwise; empty where there is none.
        note: what to do or know before it can be asked.
        key_variable: environment variable that usually holds its key; empty where it wants none.
        example: name of a model there, to show what names look like.
    """

    name: str
    label: str
    url: str
    note: str
    key_variable: str = ""
    example: str = ""


_START = "Start it on the computer that runs BiasLab"

PRESETS = (
    Preset(
        "openai",
        "OpenAI",
        OPENAI_URL,
        "Needs an account and a key from it; every request costs money.",
        "OPENAI_API_KEY",
        "gpt-4o-mini",
    ),
    Preset(
        "vllm",
        "vLLM",
        "http://localhost:8000/v1",
        f"{_START}: vllm serve MODEL",
        example="Qwen/Qwen2.5-0.5B-Instruct",
    ),
    Preset(
        "llamacpp",
        "llama.cpp",
        "http://localhost:8080/v1",
        f"{_START}: llama-server -m MODEL.gguf",
        example="the file's name",
    ),
    Preset(
        "ollama",
        "Ollama",
        "http://localhost:11434/v1",
        f"{_START}: ollama pull MODEL, then ollama serve",
        example="llama3.2",
    ),
    Preset(
        "lmstudio",
        "LM Studio",
        "http://localhost:1234/v1",
        f"{_START}: load a model, then switch its server on under “Developer”.",
        example="as LM Studio shows it",
    ),
    Preset(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        "Needs an account and a key from it; most models cost money.",
        "OPENROUTER_API_KEY",
        "openai/gpt-4o-mini",
    ),
    Preset(
        "transformers",
        "transformers serve",
        "http://localhost:8000/v1",
        f"{_START}: transformers serve",
        example="Qwen/Qwen2.5-0.5B-Instruct",
    ),
    Preset("other", "Another server", "", "Its documentation gives its base URL."),
)
"""The first one is offered first."""
