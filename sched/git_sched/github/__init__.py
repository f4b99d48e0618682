"""GitHub: what the runner says, what it is told, and the one place that talks to a network."""
