"""Decision biases (Malberg et al. 2024)."""
