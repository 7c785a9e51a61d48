"""How the tiny models were trained, and what is promised was measured: run from a checkout.

It is not installed, and the product imports nothing of it: a contract in pyproject.toml.
"""
