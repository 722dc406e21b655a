"""Classes: a teacher asks, and all pupils answer at once."""
