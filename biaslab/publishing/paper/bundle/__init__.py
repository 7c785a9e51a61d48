"""The bundle of a paper: records of runs with checksums, and making everything again from them."""
