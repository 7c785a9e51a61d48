"""Questions that are read by what they are about: amounts, chances, shapes."""
