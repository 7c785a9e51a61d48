"""Where in a text an answer is decided, word by word."""
