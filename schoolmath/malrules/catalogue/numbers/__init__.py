"""Place value and the four operations with whole numbers, decimals, signed numbers."""
