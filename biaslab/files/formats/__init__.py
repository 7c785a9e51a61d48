"""One module for each file format that items are read from or written to."""
