"""Import pairs: a file, its columns, the report and the sets in the file of runs."""
