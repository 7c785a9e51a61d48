"""Charts of decision biases."""
