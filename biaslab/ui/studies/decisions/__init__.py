"""Decision biases."""
