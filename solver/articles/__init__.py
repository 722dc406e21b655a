"""The articles that Noughts grew from: the theory they describe, computed, and their claims, checked."""
