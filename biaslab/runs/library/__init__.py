"""What is kept beside runs: connections, designs, pair sets, custom biases."""
