// A picture that one steps through. How it looks at each step stands in the page; this only sets it, and keeps the time.
"use strict";
{
  const byId = (id) => document.getElementById(id);
  const { changes, stops } = JSON.parse(byId("film").dataset.film);
  const [scrub, run, telling, verdict, paper] = ["scrub", "run", "telling", "verdict", "paper"].map(byId);
  const last = changes.length;
  const PAUSE = 1500; // between two steps while it plays, in milliseconds
  let step = Number(scrub.value);
  let timer = 0;

  // What stands in the page is the look of `step`; from one to another, what differs is set.
  const looks = [];
  for (const change of changes) {
    const look = { ...looks.at(-1) };
    for (const [id, attributes] of Object.entries(change)) look[id] = { ...look[id], ...attributes };
    looks.push(look);
  }
  let shown = looks[step - 1];

  function set(id, name, text) {
    if (name === "text") byId(id).textContent = text;
    else byId(id).setAttribute(name, text);
  }

  function show(next) {
    step = Math.min(Math.max(next, 1), last);
    for (const [id, attributes] of Object.entries(looks[step - 1]))
      for (const [name, text] of Object.entries(attributes)) if (shown[id][name] !== text) set(id, name, text);
    shown = looks[step - 1];
    scrub.value = step;
    const here = new URL(location.href);
    here.searchParams.set("step", step);
    here.searchParams.delete("guess");
    history.replaceState(history.state, "", here);
    follow();
    if (stops.includes(step)) byId("ask")?.scrollIntoView({ block: "nearest" }); // a question is seen, on a phone too
  }

  // Where the paper is wider than the screen, the node of the step stays in view; so does the line of the code.
  function follow() {
    const line = document.querySelector(".line.on");
    const code = line?.closest("pre");
    if (code && code.scrollHeight > code.clientHeight) {
      const away = line.getBoundingClientRect().top - code.getBoundingClientRect().top;
      if (away < 0 || away > code.clientHeight - 40) code.scrollTop += away - code.clientHeight / 2;
    }
    const now = paper?.querySelector(".now");
    if (!now || paper.scrollWidth <= paper.clientWidth) return;
    const [node, frame] = [now.getBoundingClientRect(), paper.getBoundingClientRect()];
    if (node.left < frame.left + 40 || node.right > frame.right - 40)
      paper.scrollLeft += node.left + node.width / 2 - frame.left - frame.width / 2;
  }

  function tell(words) {
    if (verdict) verdict.textContent = words;
    if (verdict && words) Object.assign(verdict.dataset, { answered: "step", right: words.startsWith("Right") ? 1 : 0 });
  }

  function go(next) {
    stop();
    tell("");
    show(next);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    run.textContent = "Play";
    telling.setAttribute("aria-live", "polite");
  }

  function play() {
    if (timer) { stop(); return; }
    tell("");
    show(step === last ? 1 : step + 1);
    if (step === last || stops.includes(step)) return;
    run.textContent = "Pause";
    telling.setAttribute("aria-live", "off"); // nobody can listen as fast
    timer = setInterval(() => {
      show(step + 1);
      if (step === last || stops.includes(step)) stop();
    }, PAUSE);
  }

  run.hidden = false;
  byId("go").hidden = true;
  byId("keys-said")?.removeAttribute("hidden");
  run.addEventListener("click", play);
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  byId("back").addEventListener("click", (event) => { event.preventDefault(); go(step - 1); });
  byId("on").addEventListener("click", (event) => { event.preventDefault(); go(step + 1); });
  byId("ask")?.addEventListener("click", (event) => {
    const answer = event.target.closest("a");
    if (!answer) return;
    event.preventDefault();
    const words = answer.dataset.verdict;
    go(step + 1);
    tell(words);
    run.focus({ preventScroll: true }); // the answers are gone
  });

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || target.closest("input:not(#scrub), select, textarea, pre")) return;
    if (target !== document.body && !target.closest("#stage")) return;
    const steps = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 1, End: last };
    if (key in steps) go(steps[key]);
    else if (key === " " && !target.closest("button, summary, .answers")) play();
    else return;
    event.preventDefault();
  });
  addEventListener("pagehide", stop);
  follow();
}
