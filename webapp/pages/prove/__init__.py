"""The page that proves a visitor's own bot."""
