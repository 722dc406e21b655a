// Progress, which is kept on the device alone: what was right at the first try, the steps of the ladder that are done, and
// on how many days in a row the daily drill was solved. The server knows nothing of it, and the pages are whole without it.

(() => {
  const NAME = "practise";
  const MOST = 5000; // drills that are remembered, so that none counts twice
  const DAY = 86_400_000;
  const none = () => ({ tried: [], right: 0, done: [], next: "", days: { last: "", row: 0 } });
  const byId = (id) => document.getElementById(id);

  /* Returns the visitor's own mistakes, which reviews have left here: drills with their titles. */
  function mistakes() {
    try {
      return JSON.parse(localStorage.getItem("mistakes")) ?? [];
    } catch {
      return [];
    }
  }

  function keepMistakes(kept) {
    try {
      localStorage.setItem("mistakes", JSON.stringify(kept));
    } catch {
      // then they stay as they were
    }
  }

  function listMistakes() {
    const [card, own] = [byId("own"), mistakes()];
    if (!card) return;
    card.hidden = own.length === 0;
    byId("own-list").replaceChildren(...own.map(({ id, title, done }) => {
      const [item, link, drop] = ["li", "a", "button"].map((name) => document.createElement(name));
      Object.assign(link, { className: "plain", href: `/practise/${encodeURIComponent(id)}`, textContent: `${title}${done ? " ✓" : ""}` });
      link.setAttribute("hx-boost", "false");
      Object.assign(drop, { type: "button", className: "quiet", textContent: "✕", title: "Delete" });
      drop.setAttribute("aria-label", `Delete ${title}`);
      drop.addEventListener("click", () => {
        keepMistakes(mistakes().filter((each) => each.id !== id));
        listMistakes();
        byId("own-list").querySelector("a")?.focus();
      });
      item.append(link, drop);
      return item;
    }));
  }

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

  /* Returns the progress with this page's answer. Only the first answer to a drill counts, and the daily drill once solved. */
  function after(progress, { drill, verdict, missed, day, step, opens }) {
    const next = { ...progress };
    if (day && verdict === "right" && progress.days.last !== day) {
      const follows = Date.parse(day) - Date.parse(progress.days.last) === DAY;
      next.days = { last: day, row: follows ? progress.days.row + 1 : 1 };
    }
    if (opens && !progress.done.includes(step)) {
      next.done = [...progress.done, step];
      next.next = opens;
    }
    if (progress.tried.includes(drill)) return next;
    next.tried = [...progress.tried, drill].slice(-MOST);
    if (verdict === "right" && !missed) next.right += 1;
    return next;
  }

  function show(progress) {
    const card = byId("kept");
    if (!card) return;
    card.hidden = progress.tried.length === 0;
    byId("kept-right").textContent = `${progress.right} of ${progress.tried.length}`;
    for (const step of document.querySelectorAll("li[data-step]")) step.classList.toggle("done", progress.done.includes(step.dataset.step));
  }

  function look() {
    const [page, first] = [byId("game"), byId("first")];
    if (first) first.hidden = kept().right > 0; // nothing was right at the first try before
    const { drill, verdict } = page?.dataset ?? {};
    if (verdict) keep(after(kept(), page.dataset));
    if (verdict === "right") keepMistakes(mistakes().map((each) => (each.id === drill ? { ...each, done: true } : each)));
    show(kept());
    listMistakes();
  }

  document.addEventListener("htmx:after:swap", look);
  addEventListener("storage", () => { show(kept()); listMistakes(); }); // another tab
  document.addEventListener("click", ({ target }) => {
    if (target.id === "print") print();
    if (target.id !== "forget") return;
    try {
      for (const name of [NAME, "mistakes"]) localStorage.removeItem(name);
    } catch {
      // nothing was kept
    }
    location.reload();
  });
  const { next } = kept();
  if (next && location.pathname + location.search === "/practise") location.replace(next); // the visitor's step
  else look();
})();
