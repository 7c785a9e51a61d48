"""What answers about concepts come to: figures, leaning, gaps, and strategies that fit them."""
