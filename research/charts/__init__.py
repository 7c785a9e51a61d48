"""Pictures of the experiment and of fine-tuning, drawn as those of the app."""
