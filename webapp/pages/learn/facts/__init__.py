"""What the solver knows for units and articles: functions that judge answers, fill in values, or show a figure.

Content files name them by module and function.
"""
