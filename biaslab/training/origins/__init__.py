"""Where biases come from: the family of tiny models, compared."""
