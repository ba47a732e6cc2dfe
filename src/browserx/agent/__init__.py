"""The loop: what to do next on a page, whether the last step did what it should, and a client that carries it out."""
