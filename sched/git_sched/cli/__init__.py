"""The command line: parses arguments, prints answers and sets exit codes; no other package prints or exits."""
