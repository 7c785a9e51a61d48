"""A second mechanism: fine-tuning a biased tiny model on a few hundred balanced problems."""
