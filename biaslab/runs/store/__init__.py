"""The file of runs: schema, writing, reading."""
