"""What single studies keep in the file of runs, and take out of it, beside being asked."""
