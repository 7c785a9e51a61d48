"""Numbers, plurals and lists in words; what people give, read within limits."""
