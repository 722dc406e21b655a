"""Pictures of the game as SVG, DOT, PNG and PDF: boards, graphs of positions, and the map of optimal moves."""
