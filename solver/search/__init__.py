"""How positions are valued: the reference, pruned and budgeted searches, and the table of small boards."""
