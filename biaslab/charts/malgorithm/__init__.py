"""Charts of mal-rule identification."""
