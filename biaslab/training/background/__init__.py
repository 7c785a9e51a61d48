"""Trainings in processes of their own."""
