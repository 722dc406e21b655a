// Win if you can, block if you must, then the centre, a corner, an edge.
(board, mark) => {
  const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  const third = (who) => [...board.keys()].find((square) => !board[square] && lines.some((line) =>
    line.includes(square) && line.every((each) => each === square || board[each] === who)));
  const win = third(mark);
  const block = third(mark === "X" ? "O" : "X");
  return win ?? block ?? [4, 0, 2, 6, 8, 1, 3, 5, 7].find((square) => !board[square]);
}
