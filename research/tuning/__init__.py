"""Fine-tuning of tiny models that were taught one kind of lesson (docs/origins.md)."""
