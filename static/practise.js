// Practise on this device: what is left of today, the clock of a rush, own mistakes, and what was done.

{
  const EACH = 40; // seconds that a drill takes
  const ROOM = 300; // seconds of today
  const STEPS = 3; // drills of the new kind
  const AGAIN = Math.floor(ROOM / EACH) - STEPS - 1; // items that come back, beside the drill of the day
  const byId = (id) => document.getElementById(id);
  const clone = (id) => byId(id).content.firstElementChild.cloneNode(true);
  const rows = () => [...document.querySelectorAll("#today li")];

  /* Draws the board of a drill from its id, as other small boards are drawn; "" where the id has no rows. */
  function draw(item) {
    const stones = { X: '<path class="stone" d="M.2 .2l.6 .6m0 -.6l-.6 .6"/>', O: '<circle class="stone" cx=".5" cy=".5" r=".3"/>', ".": "" };
    const lines = item.split("-").find((part) => /^[XO._]+$/.test(part))?.split("_");
    const squares = lines?.flatMap((line, y) => [...line].map((mark, x) =>
      `<g transform="translate(${x} ${y})"><rect class="cell" width="1" height="1"/>${stones[mark]}</g>`));
    return lines ? `<svg class="mini" viewBox="0 0 ${lines[0].length} ${lines.length}" aria-hidden="true">${squares.join("")}</svg>` : "";
  }

  /* Returns those of these items that are left today. The new kind, which has no item, takes some drills of any kind. */
  function left(items) {
    const { today } = memory.recall();
    return items.filter(({ item }) => (item ? !today.seen.includes(item) : today.steps < STEPS));
  }

  function listToday() {
    if (!byId("today")) return;
    const { done, today } = memory.recall(), kinds = [...document.querySelectorAll(".kinds [data-step]")];
    for (const kind of kinds) kind.classList.toggle("done", done.includes(kind.dataset.step));
    const fresh = kinds.find((kind) => !kind.matches(".done"))?.querySelector("a");
    if (fresh) {
      const link = byId("fresh").querySelector("a");
      link.href = fresh.href;
      link.querySelector("b").textContent = fresh.textContent;
      link.querySelector("svg").replaceWith(fresh.querySelector("svg").cloneNode(true));
    }
    for (const row of document.querySelectorAll("#today .again")) row.remove();
    byId("today").append(...memory.due().slice(0, Math.max(0, AGAIN - today.again)).map(({ item, title }) => {
      const row = clone("due"), link = row.querySelector("a"), [ask, ...unit] = item.split("/").map(encodeURIComponent).reverse();
      row.dataset.item = item;
      link.href = unit.length ? `/learn/${unit.reverse().join("/")}?ask=${ask}` : `/practise/${ask}`;
      link.querySelector("b").textContent = title;
      link.insertAdjacentHTML("afterbegin", draw(item));
      return row;
    }));
    const items = rows().map((row) => ({ row, item: row.dataset.item })), rest = left(items);
    for (const each of items) each.row.classList.toggle("done", !rest.includes(each));
    byId("start").hidden = !rest.length;
    byId("all-done").hidden = rest.length > 0;
    if (rest.length) byId("start").href = rest[0].row.querySelector("a").href;
  }

  function listMistakes() {
    const [card, own] = [byId("own"), kept.read("mistakes", [])];
    if (!card) return;
    card.hidden = own.length === 0;
    byId("own-list").replaceChildren(...own.map(({ id, title, done }) => {
      const item = clone("mistake"), [link, drop] = item.children;
      Object.assign(link, { href: `/practise/${encodeURIComponent(id)}`, textContent: `${title}${done ? " ✓" : ""}` });
      drop.setAttribute("aria-label", `Delete ${title}`);
      drop.addEventListener("click", () => {
        kept.write("mistakes", kept.read("mistakes", []).filter((each) => each.id !== id));
        listMistakes();
        byId("own-list").querySelector("a")?.focus();
      });
      return item;
    }));
  }

  function listDone() {
    if (!byId("done")) return;
    const names = JSON.parse(byId("done").dataset.names), days = Object.entries(memory.recall().history);
    byId("history").hidden = days.length === 0;
    byId("done").replaceChildren(...days.reverse().flatMap(([day, kinds]) => Object.entries(kinds).map(([kind, counts], place) => {
      const [row, [asked, right, lost]] = [document.createElement("tr"), counts];
      const date = new Date(day).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "short", timeZone: "UTC" });
      for (const text of [place ? "" : date, names[kind], `${right} of ${asked}`, lost]) row.insertCell().textContent = text;
      return row;
    })));
  }

  /* Lets the button for the next drill lead elsewhere. It is a plain link then, of which htmx knows nothing. */
  function lead(url, words) {
    const link = Object.assign(byId("new").cloneNode(), { href: url, textContent: words });
    link.setAttribute("hx-boost", "false");
    byId("new").replaceWith(link);
  }

  /* After an answer to a drill of today the next one follows, and after the last one the page of today. */
  function goOn() {
    const [items, { verdict, step }] = [kept.read("today", []), byId("game")?.dataset ?? {}];
    if (!verdict || !items.length || byId("rush")) return;
    const [next] = left(items);
    if (!next) lead("/practise", "Done for today");
    else if (next.item || !step) lead(next.url, "Next");
  }

  let ticking = 0;

  /* Shows how much is left of a rush. A drill that has begun may be finished afterwards. */
  function tick() {
    const { seed, seconds, over } = byId("rush")?.dataset ?? {};
    clearTimeout(ticking);
    if (!over) return;
    const begun = kept.read("rush", {}), end = begun.seed === seed ? begun.end : Date.now() + 1000 * seconds;
    const rest = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    kept.write("rush", { seed, end });
    byId("clock").value = rest;
    byId("seconds").textContent = `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
    if (rest) ticking = setTimeout(tick, 1000);
    else lead(over, "Time's up");
  }

  function look() {
    const [first, { item, verdict }] = [byId("first"), byId("game")?.dataset ?? {}];
    const counts = Object.values(memory.recall().history).flatMap(Object.values);
    if (first) first.hidden = counts.reduce((sum, [, right]) => sum + right, 0) > 1;
    if (verdict === "right") kept.write("mistakes", kept.read("mistakes", []).map((each) => (each.id === item ? { ...each, done: true } : each)));
    if (byId("today")) kept.write("today", null);
    show();
    goOn();
    tick();
  }

  function show() {
    listToday();
    listMistakes();
    listDone();
  }

  document.addEventListener("htmx:after:swap", look);
  addEventListener("storage", show); // another tab
  document.addEventListener("click", ({ target }) => {
    if (target.closest("#today a, #start")) {
      kept.write("today", rows().map((row) => ({ item: row.dataset.item, url: row.querySelector("a").getAttribute("href") })));
    }
    if (target.id === "print") print();
    if (target.id !== "forget") return;
    kept.write("practise", null);
    location.reload();
  }, true);
  look();
}
