"""Plain instructions, worked through the whole loop: page, client, HTTP, planner, real input, and back."""
