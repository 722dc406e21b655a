// Win if you can, block if you must, then the centre, a corner, a side.
(board, mark) => {
  const lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  const third = (who) => {
    for (const line of lines) {
      const left = line.filter((square) => board[square] !== who);
      if (left.length === 1 && !board[left[0]]) return left[0];
    }
  };
  const win = third(mark);
  const block = third(mark === "X" ? "O" : "X");
  return win ?? block ?? [4, 0, 2, 6, 8, 1, 3, 5, 7].find((square) => !board[square]);
}
