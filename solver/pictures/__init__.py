"""Pictures of the game as SVG and as DOT: boards, graphs of positions, and the map of optimal moves."""
