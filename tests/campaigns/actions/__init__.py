"""Random actions on pages, with a witness in the page that knows nothing of the engine."""
