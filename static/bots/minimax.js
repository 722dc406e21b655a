// Minimax: looks at every game to its end, and takes the square with the best result.
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const other = (mark) => (mark === "X" ? "O" : "X");
const known = {};

function value(board, mark) {
  const key = board.map((each) => each || ".").join("") + mark;
  if (key in known) return known[key];
  if (LINES.some((line) => line.every((square) => board[square] === other(mark)))) return (known[key] = -1);
  const values = board.flatMap((each, square) => (each ? [] : [-value(board.with(square, mark), other(mark))]));
  return (known[key] = values.length ? Math.max(...values) : 0);
}

function score(board, square, mark) {
  return -value(board.with(square, mark), other(mark));
}

function minimax(board, mark) {
  let best = -1;
  for (const square of board.keys())
    if (!board[square] && (best < 0 || score(board, square, mark) > score(board, best, mark))) best = square;
  return best;
}
