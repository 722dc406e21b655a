// Seven rules, read from the top: the first that names a square decides.
const LINES = [["a3", "b3", "c3"], ["a2", "b2", "c2"], ["a1", "b1", "c1"], ["a3", "a2", "a1"], ["b3", "b2", "b1"],
  ["c3", "c2", "c1"], ["a3", "b2", "c1"], ["a1", "b2", "c3"]];
const NAMES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
const BESIDE = { a3: ["a2", "b3"], c3: ["b3", "c2"], a1: ["a2", "b1"], c1: ["b1", "c2"] };

function bot(board, mark) {
  const at = (name) => board[NAMES.indexOf(name)];
  const free = (name) => !at(name);
  const you = mark === "X" ? "O" : "X";
  const completes = (who) => NAMES.find((name) => free(name) && LINES.some((line) =>
    line.includes(name) && line.every((each) => each === name || at(each) === who)));
  return completes(mark)
    ?? completes(you)
    ?? ["b2"].find(free)
    ?? Object.keys(BESIDE).find((corner) => free(corner) && BESIDE[corner].every((edge) => at(edge) === you))
    ?? ["b3", "a2", "c2", "b1"].find(free)
    ?? ["a3", "c3", "a1", "c1"].find(free);
}
