// Win, then block, then make two threats at once or spoil the opponent's, then the middle, a corner, a side.
const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const threats = (board, mark) => LINES.filter((line) =>
  line.filter((square) => board[square] === mark).length === 2 && line.some((square) => !board[square])).length;

function choose(board, mark) {
  const you = mark === "X" ? "O" : "X";
  const free = [4, 0, 2, 6, 8, 1, 3, 5, 7].filter((square) => !board[square]);
  const wins = (who) => free.find((square) => LINES.some((line) =>
    line.includes(square) && line.every((each) => each === square || board[each] === who)));
  const forks = (who) => free.find((square) => threats(board.with(square, who), who) > 1);
  return wins(mark) ?? wins(you) ?? forks(mark) ?? forks(you) ?? free[0];
}
