"""BiasLab: see how language models go wrong at school mathematics in the ways that people do."""

__version__ = "0.5.0"
