"""Who may open the app, and as whom."""
