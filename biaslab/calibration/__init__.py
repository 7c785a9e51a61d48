"""What the software promises, measured: coverage, false findings, stopping rules, studies."""
