// What one knows: the best share of right first answers to each quiz, kept on the device alone, shown on the path.
"use strict";
{
  const KEY = "noughts.learnt", ENOUGH = 0.75;
  const learnt = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
      return kept && typeof kept === "object" ? kept : {};
    } catch {
      return {}; // no storage, or not what was kept: nothing is known
    }
  };
  const keep = (kept) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // no storage: the next page knows nothing of this one
    }
  };

  const lesson = document.querySelector("article[data-lesson]")?.dataset.lesson;
  const note = () => {
    const kept = learnt(), quizzes = (kept[lesson] ??= {});
    const better = [...document.querySelectorAll("[data-answered]")].map((each) => each.dataset)
      .filter(({ answered, right }) => !(quizzes[answered] >= Number(right)));
    for (const { answered, right } of better) quizzes[answered] = Number(right);
    if (better.length) keep(kept);
  };
  if (lesson) {
    new MutationObserver(note).observe(document.querySelector("article"),
      { subtree: true, childList: true, attributeFilter: ["data-answered", "data-right"] });
    note();
  }

  const [onward, reading] = ["continue", "reading"].map((id) => document.getElementById(id));
  const mark = () => {
    const kept = learnt(), units = [...document.querySelectorAll("[data-unit]")];
    for (const unit of units) {
      const asks = unit.dataset.asks.split(" "), quizzes = kept[unit.dataset.unit] ?? {};
      const [tried, known] = [0, ENOUGH].map((least) => asks.filter((name) => quizzes[name] >= least).length);
      unit.toggleAttribute("data-known", known === asks.length);
      unit.toggleAttribute("data-tried", tried > 0);
      unit.querySelector(".done").textContent = known === asks.length ? "✓ known" : tried ? `${known} of ${asks.length} known` : "";
    }
    const known = units.filter((unit) => unit.hasAttribute("data-known")).length;
    const any = units.some((unit) => unit.hasAttribute("data-tried"));
    const next = units.find((unit) => !unit.hasAttribute("data-known")) ?? units[0];
    for (const unit of units) unit.toggleAttribute("data-next", any && unit === next);
    reading.toggleAttribute("data-any", any);
    if (!any) return;
    onward.href = next.querySelector("a").href;
    onward.textContent = `${onward.dataset.words}: ${next.querySelector("b").textContent}`;
    document.getElementById("known").textContent = `${known} of ${units.length} known`;
  };
  if (onward) {
    reading.querySelector("button").addEventListener("click", () => {
      keep({});
      location.reload();
    });
    addEventListener("pageshow", mark); // coming back shows the page as it was left
    addEventListener("storage", mark);
    mark();
  }

  // A link to a part that is folded opens it.
  const unfold = () => {
    for (let part = document.getElementById(location.hash.slice(1)); part; part = part.parentElement)
      if (part.open === false) part.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();

  // A drawing that is too wide for its frame begins at its root.
  document.querySelectorAll(".viewer-frame.whole").forEach((frame) => {
    const root = frame.querySelector(".node")?.getBoundingClientRect(), seen = frame.getBoundingClientRect();
    if (!root || frame.scrollWidth <= frame.clientWidth) return;
    frame.scrollTo(root.x + root.width / 2 - seen.x - seen.width / 2, root.y - seen.y - 12);
  });

  // Squares that are drawn upon answer a press at once. The address of each holds all others, so that whatever is
  // pressed before the last answer has come waits until it has its new address.
  const turns = []; // the names of squares, in the order of the presses; the first one's answer is awaited
  const show = (name) => {
    const square = document.getElementById(name);
    square?.setAttribute("aria-pressed", square.getAttribute("aria-pressed") !== "true");
    square?.classList.add("awaited");
  };
  document.addEventListener("click", (event) => {
    const square = event.target.closest?.(".hits .spot[aria-pressed]");
    if (!square || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    show(square.id);
    if (turns.push(square.id) === 1) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (!turns.length || !ctx.sourceElement.matches(".spot")) return;
    const answered = turns.shift();
    if (ctx.status === "swapped") {
      turns.forEach(show); // the answer knows nothing of them
      document.getElementById(turns[0])?.click();
    } else [answered, ...turns.splice(0)].forEach(show); // as they were before
  });

  // A slider of a quiz says the number that it stands for.
  const say = (slider) => {
    const number = Math.floor(10 ** (slider.value / 10) + 0.5);
    slider.form.querySelector("[data-guess]").textContent = number.toLocaleString("en");
  };
  addEventListener("input", ({ target }) => target.matches(".guess input") && say(target));
  const sayAll = () => document.querySelectorAll(".guess input[type=range]").forEach(say);
  // What was pressed is gone with its question: the keyboard goes on beside it.
  let pressed = null;
  addEventListener("click", ({ target }) => (pressed = target.closest?.(".quiz")?.id));
  document.addEventListener("htmx:after:swap", () => {
    sayAll();
    const next = pressed && document.activeElement === document.body && document.querySelector(`#${pressed} :is(a, button:enabled)`);
    next?.focus({ preventScroll: true });
  });
  sayAll();
}
