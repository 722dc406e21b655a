// The first free square: no plan at all.
(board) => board.indexOf("")
