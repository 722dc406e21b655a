"""The articles that inspired Noughts: their theory as programs, and a check of each of their claims."""
