"""Effects and accuracies, of runs and studies beside each other, with their intervals."""
