"""Builds records from answers: one builder for each kind of record, in the module of its name."""
