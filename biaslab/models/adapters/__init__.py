"""Language models with an adapter: what somebody taught them, added to weights that stay."""
