"""Language models in a single GGUF file: read, checked, opened, found."""
