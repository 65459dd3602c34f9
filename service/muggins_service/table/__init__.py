"""A match as the service keeps it, and what commands do to it: values and pure functions."""
