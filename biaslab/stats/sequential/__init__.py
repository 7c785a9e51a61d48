"""Looking while a run goes on, and when it may stop."""
