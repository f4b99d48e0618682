"""What all readers of task files share: bytes to text, text to values, values to fields, each with its place."""
