"""The families of tiny models: train, measure, ship (docs/origins.md, docs/training-lab.md)."""
