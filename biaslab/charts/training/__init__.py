"""Charts of trainings and of where biases come from."""
