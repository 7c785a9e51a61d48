"""What a tutor does all day: look at a pupil's work and see the idea behind it."""
