"""Numbers, plurals and lists in words; cells of tables; what people give, read within limits."""
