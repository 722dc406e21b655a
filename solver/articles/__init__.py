"""Programs for the theory in the articles that inspired Noughts, and a check of each claim in them."""
