"""The wire contract between a client that has a page and a backend that thinks: requests, answers, calls."""
