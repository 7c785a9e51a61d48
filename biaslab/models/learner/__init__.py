"""Simulated learners: answers by a named rule, with a set strength."""
