"""The values that all packages share: graphs, policy, signals, requests and problems."""
