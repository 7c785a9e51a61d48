"""Where biases come from."""
