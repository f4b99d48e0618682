"""Report: one builder for each kind of record, under the record's name."""
