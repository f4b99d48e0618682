"""GitHub: the runner's input and output, the steps of the Action, and the only use of a network."""
