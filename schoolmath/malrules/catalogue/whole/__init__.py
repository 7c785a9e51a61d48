"""Whole numbers: facts, places, factors, and divisions that leave a rest."""
