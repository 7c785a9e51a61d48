"""One estimate: a mean difference, its interval and its test."""
