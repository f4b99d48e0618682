"""The values that everything speaks of: graphs, policy, signals, requests and problems."""
