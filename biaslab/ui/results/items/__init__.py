"""What the page Items shows beside a pair: another run's answers, a person's marks and notes."""
