"""Fine-tuning of tiny models that were taught one kind of lesson (research/docs/family.md)."""
