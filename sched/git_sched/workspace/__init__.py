"""The machine: git, files, streams, and the workspace read as one input of a decision."""
