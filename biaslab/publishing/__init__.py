"""What goes out of the lab: a paper with its bundle, and a report in one file."""
