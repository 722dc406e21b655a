// What comes back: drills and questions of units that were missed, in boxes after Leitner, and what was done on each day.

const memory = (() => {
  const VERSION = 1; // of what is kept; no other is read
  const BOXES = [1, 3, 7, 14, 30]; // days until an item comes back: a right answer puts it a box on, a wrong one into the first
  const MOST = 200; // items in the boxes
  const DAYS = 366; // of history
  const DAY = 86_400_000;
  const after = (day, days) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10); // in UTC, as the drill of the day
  const last = (object, most) => Object.fromEntries(Object.entries(object).slice(-most));

  function recall() {
    const [stored, day] = [kept.read("practise", {}), after(new Date().toISOString(), 0)];
    const { tried = [], right = 0, ...known } = [VERSION, undefined].includes(stored.version) ? stored : {};
    const before = tried.length ? { [day]: { "": [tried.length, right, 0] } } : {}; // of which no day was kept
    const { items = {}, history = before, today, done = [], days = { last: "", row: 0 } } = known;
    return { version: VERSION, items, history, today: today?.day === day ? today : { day, seen: [], steps: 0, again: 0 }, done, days };
  }

  /* Returns the items that are due, each with its box, its day and its title, those in the first box before others. */
  function due() {
    const { items, today } = recall();
    const all = Object.entries(items).map(([item, about]) => ({ item, ...about }));
    return all.filter(({ day }) => day <= today.day).sort((a, b) => a.box - b.box || a.day.localeCompare(b.day));
  }

  /* Keeps what the answer on a page comes to. Of the answers to an item on one day, the first one counts. */
  function note({ item, verdict, missed, kind = "unit", lost = 0, title = document.querySelector("h1").textContent, day, step, opens }) {
    const all = recall(), { items, history, today, done, days } = all;
    const right = verdict === "right" && !missed;
    if (day && verdict === "right" && days.last !== day) {
      all.days = { last: day, row: Date.parse(day) - Date.parse(days.last) === DAY ? days.row + 1 : 1 };
    }
    if (opens && !done.includes(step)) done.push(step);
    if (!today.seen.includes(item)) {
      today.seen.push(item);
      if (step) today.steps += 1;
      if (items[item]?.day <= today.day) today.again += 1;
      const counts = ((history[today.day] ??= {})[kind] ??= [0, 0, 0]);
      [1, Number(right), Number(lost)].forEach((count, place) => { counts[place] += count; });
      put(items, item, title, right, today.day);
    }
    kept.write("practise", { ...all, items: last(items, MOST), history: last(history, DAYS) });
  }

  function put(items, item, title, right, today) {
    const { box, day } = items[item] ?? {};
    if (right && !(day <= today)) return; // it was not missed, or is not due
    const next = right ? box + 1 : 0;
    delete items[item];
    if (next < BOXES.length) items[item] = { box: next, day: after(today, BOXES[next]), title }; // else it is known
  }

  const look = () => {
    for (const { dataset } of document.querySelectorAll("[data-item][data-verdict]:not([data-verdict=''])")) note(dataset);
  };
  document.addEventListener("htmx:after:swap", look);
  look();
  return { BOXES, MOST, DAYS, recall, due };
})();
