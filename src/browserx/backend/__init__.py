"""The HTTP backend: interact, sessions, messages and push, on real storage."""
