"""Reads and writes on this machine: git, files and streams; a workspace is read as one input of a decision."""
