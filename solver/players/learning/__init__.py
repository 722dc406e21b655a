"""Players that begin with nothing and learn by playing: Michie's matchboxes and tabular Q-learning, on 3×3."""
