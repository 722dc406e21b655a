// Win, block, make two threats at once, take the square where the opponent could; then the centre, a corner, an edge.
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const stones = (board, line, who) => line.filter((square) => board[square] === who).length;
const threats = (board, who) => LINES.filter((line) => stones(board, line, who) === 2 && stones(board, line, "") === 1).length;

function choose(board, mark) {
  const you = mark === "X" ? "O" : "X";
  const find = (fits) => [...board.keys()].find((square) => !board[square] && fits(square));
  const wins = (who) => find((square) => LINES.some((line) => line.includes(square) && stones(board, line, who) === 2));
  const forks = (who) => find((square) => threats(board.with(square, who), who) > 1);
  return wins(mark) ?? wins(you) ?? forks(mark) ?? forks(you) ?? [4, 0, 2, 6, 8, 1, 3, 5, 7].find((square) => !board[square]);
}
