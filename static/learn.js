// Which lessons one has read: kept on the device alone, and marked in the contents.
"use strict";
{
  const KEY = "noughts.read";
  const read = () => {
    try {
      const names = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return new Set(Array.isArray(names) ? names : []);
    } catch {
      return new Set(); // no storage, or not what was kept: nothing is marked
    }
  };
  const keep = (names) => {
    try {
      localStorage.setItem(KEY, JSON.stringify([...names]));
    } catch {
      // no storage: the next page knows nothing of this one
    }
  };

  // A lesson is read once its end is seen.
  const lesson = document.querySelector("article[data-lesson]");
  const end = document.querySelector(".onward");
  if (lesson && end)
    new IntersectionObserver((seen, observer) => {
      if (!seen.some((each) => each.isIntersecting)) return;
      observer.disconnect();
      keep(read().add(lesson.dataset.lesson));
      lesson.toggleAttribute("data-read", true);
    }).observe(end);

  const said = document.getElementById("reading");
  const mark = () => {
    const names = read();
    const cards = [...document.querySelectorAll(".path [data-lesson]")];
    for (const card of cards) card.toggleAttribute("data-read", names.has(card.dataset.lesson));
    const count = cards.filter((card) => card.hasAttribute("data-read")).length;
    said.toggleAttribute("data-any", count > 0);
    said.querySelector("span").textContent = `You have read ${count} of ${cards.length}, as this device remembers.`;
  };
  if (said) {
    said.querySelector("button").addEventListener("click", () => {
      keep([]);
      mark();
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
