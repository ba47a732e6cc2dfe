"""The addresses of the backend, one module for each family."""
