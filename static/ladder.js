// The ladder: the levels that somebody beat without help, by game. It is kept on the device alone.

const byId = (id) => document.getElementById(id);

function kept() {
  try {
    return JSON.parse(localStorage.getItem("ladder")) ?? {};
  } catch {
    return {}; // this browser keeps nothing, or something else
  }
}

/* A page that gives no help names the game so far. A game had no help if each of its pages in this tab continues the last one. */
function isAlone(soFar) {
  try {
    const before = sessionStorage.getItem("alone");
    const goesOn = Boolean(soFar) && (soFar.endsWith("/") || (before !== null && soFar.startsWith(before)));
    if (goesOn) sessionStorage.setItem("alone", soFar);
    else sessionStorage.removeItem("alone");
    return goesOn;
  } catch {
    return false;
  }
}

/* Puts a level on the ladder of a game, once. Returns whether it is new there. */
function climb(board, level) {
  const [ladder, levels] = [kept(), kept()[board] ?? []];
  if (levels.includes(level)) return false;
  try {
    localStorage.setItem("ladder", JSON.stringify({ ...ladder, [board]: [...levels, level] }));
    return true;
  } catch {
    return false;
  }
}

/* Marks the levels that are done, and lists the games that have any where a page keeps room for them. */
function show() {
  const ladder = kept();
  const all = byId("ladders");
  if (all) {
    all.hidden = !Object.keys(ladder).length;
    all.querySelectorAll(".rungs").forEach((rungs) => rungs.remove());
    for (const board of Object.keys(ladder)) {
      const rungs = byId("rungs").content.firstElementChild.cloneNode(true);
      const [game, list] = [rungs.querySelector("a"), rungs.querySelector("ol")];
      list.dataset.board = board;
      game.textContent = byId("rungs").content.querySelector(`[value="${CSS.escape(board)}"]`)?.textContent ?? board.replaceAll("x", "×");
      const next = [...list.children].find((rung) => !ladder[board].includes(rung.dataset.level)) ?? list.lastElementChild;
      game.href = `/play/${encodeURIComponent(board)}?o=${next.dataset.level}&show=off`;
      byId("rungs").before(rungs);
    }
  }
  for (const list of document.querySelectorAll(".ladder")) {
    const done = ladder[list.dataset.board] ?? [];
    for (const rung of list.children) rung.classList.toggle("reached", done.includes(rung.dataset.level));
  }
  if (byId("forget-ladder")) byId("forget-ladder").hidden = !Object.keys(ladder).length;
}

function look() {
  const { alone, rung } = byId("game")?.dataset ?? {};
  const isNew = isAlone(alone) && rung && climb(alone.split("/")[0], rung);
  show();
  const list = document.querySelector("#ladder .ladder");
  if (!isNew || !list) return;
  list.querySelector(`[data-level="${rung}"]`).classList.add("new");
  byId("ladder-says").textContent = `${list.querySelectorAll(".reached").length} of ${list.children.length} on your ladder.`;
}

document.addEventListener("htmx:after:swap", look);
addEventListener("storage", show); // another tab
document.addEventListener("click", ({ target }) => {
  if (target.id !== "forget-ladder") return;
  try {
    localStorage.removeItem("ladder");
  } catch {
    // nothing was kept
  }
  show();
});
look();
