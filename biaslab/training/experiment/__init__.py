"""How much of a bias is in the mix: one ratio varied at a time, from ten starts of their own."""
