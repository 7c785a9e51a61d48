"""The first screen: what a real model was found to do, and doing it again."""
