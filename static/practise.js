// Progress, which is kept on the device alone: what was right at the first try, how many in a row, and on how many days
// in a row the daily drill was. The server knows nothing of it, and the pages are whole without it.

(() => {
  const NAME = "practise";
  const MOST = 5000; // drills that are remembered, so that none counts twice
  const DAY = 86_400_000;
  const none = () => ({ tried: [], right: 0, row: 0, best: 0, solved: {}, days: { last: "", row: 0 } });
  const byId = (id) => document.getElementById(id);

  function kept() {
    try {
      return { ...none(), ...JSON.parse(localStorage.getItem(NAME)) };
    } catch {
      return none(); // this browser keeps nothing, or something else
    }
  }

  function keep(progress) {
    try {
      localStorage.setItem(NAME, JSON.stringify(progress));
    } catch {
      // then it is not kept
    }
  }

  /* The progress after what the page says became of its drill. Only the first answer to a drill counts, and of the daily
     one that it was solved. */
  function after(progress, { drill, kind, verdict, missed, day }) {
    const right = verdict === "right" && !missed;
    const next = { ...progress, solved: { ...progress.solved } };
    if (day && verdict === "right" && progress.days.last !== day) {
      const follows = Date.parse(day) - Date.parse(progress.days.last) === DAY;
      next.days = { last: day, row: follows ? progress.days.row + 1 : 1 };
    }
    if (progress.tried.includes(drill)) return next;
    next.tried = [...progress.tried, drill].slice(-MOST);
    next.row = right ? progress.row + 1 : 0;
    next.best = Math.max(progress.best, next.row);
    if (right) {
      const [board] = drill.split("-");
      next.right += 1;
      for (const name of [`${board}-${kind}`, `${board}-mix`]) next.solved[name] = (next.solved[name] ?? 0) + 1;
    }
    return next;
  }

  function show(progress) {
    const card = byId("kept");
    if (!card) return;
    card.hidden = progress.tried.length === 0;
    byId("kept-row").textContent = progress.best > progress.row ? `${progress.row}, once ${progress.best}` : progress.row;
    byId("kept-right").textContent = `${progress.right} of ${progress.tried.length}`;
    byId("kept-days").textContent = progress.days.row;
    for (const choice of document.querySelectorAll("[data-solved]")) {
      const solved = progress.solved[choice.dataset.solved];
      const count = choice.querySelector("small");
      if (solved) count.textContent = `${count.textContent.replace(/ · .*/, "")} · ${solved} right`;
    }
  }

  function look() {
    const page = byId("game");
    if (page?.dataset.verdict) keep(after(kept(), page.dataset));
    show(kept());
  }

  document.addEventListener("htmx:after:swap", look);
  addEventListener("storage", () => show(kept())); // another tab
  document.addEventListener("click", ({ target }) => {
    if (target.id === "print") print();
    if (target.id !== "forget") return;
    try {
      localStorage.removeItem(NAME);
    } catch {
      // nothing was kept
    }
    location.reload();
  });
  look();
})();
