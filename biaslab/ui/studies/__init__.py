"""The pages of single studies."""
