"""The campaign ``miniwob``: small scripted policies play MiniWoB++'s tasks through the public API."""
