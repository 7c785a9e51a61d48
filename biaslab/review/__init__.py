"""People judge pairs: criteria, packets, records, agreement."""
