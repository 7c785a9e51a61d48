"""The tiny models that are trained here."""
