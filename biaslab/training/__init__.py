"""Training the tiny models: data, tokenizer, training, held-out evaluation and model card."""
