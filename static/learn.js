// What one knows: the skills of each unit, kept on the device alone, shown on the path. A link carries it to another device.
"use strict";
{
  const KEY = "noughts.learnt";
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

  const unit = document.querySelector("article:has(#unit)");
  const note = () => {
    const kept = learnt(), known = (kept[unit.dataset.lesson] ??= {});
    const more = unit.querySelector("[data-known]").dataset.known.split(" ").filter((skill) => skill && known[skill] !== 1);
    for (const skill of more) known[skill] = 1;
    if (more.length) keep(kept);
    const skills = [...unit.querySelectorAll("[data-skill]")]; // of the end, where what was known before counts, too
    for (const skill of skills) if (known[skill.dataset.skill] === 1) skill.classList.add("known");
    const said = unit.querySelector("[data-all]"), all = skills.length && skills.every((skill) => skill.matches(".known"));
    if (all && said.textContent !== said.dataset.all) said.textContent = said.dataset.all;
  };
  if (unit) {
    new MutationObserver(note).observe(unit, { subtree: true, childList: true, attributeFilter: ["data-known"] });
    note();
  }

  const [onward, reading] = ["continue", "reading"].map((id) => document.getElementById(id));
  const mark = () => {
    const kept = learnt(), units = [...document.querySelectorAll("[data-unit]")];
    for (const unit of units) {
      const asks = unit.dataset.asks.split(" "), known = asks.filter((skill) => kept[unit.dataset.unit]?.[skill] === 1).length;
      unit.toggleAttribute("data-known", known === asks.length);
      unit.querySelector(".done").textContent = known === asks.length ? "✓ known" : known ? `${known} of ${asks.length} known` : "";
    }
    const known = units.filter((unit) => unit.hasAttribute("data-known")).length;
    const any = units.some((unit) => unit.querySelector(".done").textContent);
    const next = units.find((unit) => !unit.hasAttribute("data-known")) ?? units[0];
    for (const unit of units) unit.toggleAttribute("data-next", any && unit === next);
    reading.toggleAttribute("data-any", any);
    if (!any) return;
    const missing = next.dataset.asks.split(" ").findIndex((skill) => kept[next.dataset.unit]?.[skill] !== 1);
    onward.href = next.querySelector("a").href + (missing > 0 ? `?did=${next.dataset.ways.split(" ")[missing]}` : "");
    onward.textContent = `${onward.dataset.words}: ${next.querySelector("b").textContent}`;
    document.getElementById("known").textContent = `${known} of ${units.length} known`;
  };
  if (onward) {
    const CARRIED = "#known=", spell = (kept) => Object.entries(kept)
      .flatMap(([unit, skills]) => Object.keys(skills).filter((skill) => skills[skill] === 1).map((skill) => `${unit}.${skill}`));
    const carry = reading.querySelector("a");
    const show = () => {
      mark();
      carry.href = CARRIED + spell(learnt()).join(",");
    };
    const take = () => {
      if (!location.hash.startsWith(CARRIED)) return;
      const brought = location.hash.slice(CARRIED.length).split(",").map((each) => each.split(".")).filter(([, skill]) => skill);
      history.replaceState(null, "", location.pathname);
      if (!brought.length || (spell(learnt()).length && !confirm(carry.dataset.asks))) return;
      const kept = {};
      for (const [unit, skill] of brought) (kept[unit] ??= {})[skill] = 1;
      keep(kept);
    };
    carry.addEventListener("click", (event) => {
      event.preventDefault();
      navigator.clipboard?.writeText(carry.href).then(() => (carry.textContent = carry.dataset.done), () => prompt("", carry.href));
    });
    reading.querySelector("button").addEventListener("click", () => {
      keep({});
      location.reload();
    });
    for (const event of ["pageshow", "storage"]) addEventListener(event, show); // coming back shows the page as it was left
    addEventListener("hashchange", () => (take(), show()));
    take();
    show();
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

  // A slider says the number that it stands for.
  const say = (slider) => {
    const number = Math.floor(10 ** (slider.value / 10) + 0.5);
    slider.form.querySelector("[data-guess]").textContent = number.toLocaleString("en");
  };
  addEventListener("input", ({ target }) => target.matches(".guess input") && say(target));
  const sayAll = () => document.querySelectorAll(".guess input[type=range]").forEach(say);
  // What was pressed is gone with its question: the keyboard goes on beside it.
  let pressed = null;
  addEventListener("click", ({ target }) => (pressed = target.closest?.("#unit")?.id));
  document.addEventListener("htmx:after:swap", () => {
    sayAll();
    const next = pressed && document.activeElement === document.body && document.querySelector(`#${pressed} :is(.spot, .button[href], .plain, button:enabled)`);
    next?.focus({ preventScroll: true });
  });
  sayAll();
}
