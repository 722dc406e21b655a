// The viewer of pictures: one moves and zooms the drawing of the page, goes from board to board by keys, and sees what
// leads to a board. Everything it shows is in the drawing; without it the frame scrolls and the boards are links.
"use strict";
{
  const NEAR = 150; // the least width of what is seen, in the picture's units: about three boards
  const READABLE = 0.4; // pixels to a unit from which a board can be read
  const VISIBLE = 0.22; // pixels to a unit from which a board can be seen
  const STEP = 1.4;
  const SLOP = 5; // pixels that a press may move and still be a press

  function begin(figure, centred) {
    const frame = figure.querySelector(".viewer-frame");
    const svg = frame.querySelector("svg");
    const said = figure.querySelector(".picked");
    const resting = said.cloneNode(true);
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const nodes = [...svg.querySelectorAll(".node")];
    const moves = [...svg.querySelectorAll("[data-from]")];
    const numberOf = (node) => node.id.slice(1);
    const places = new Map(nodes.map((node) => {
      const box = node.querySelector(".sign");
      const at = (name) => Number(box.getAttribute(name)) + Number(box.getAttribute("width")) / 2;
      return [node, { x: at("x"), y: at("y") }];
    }));
    const parents = new Map();
    const children = new Map();
    const link = (map, from, to) => map.set(from, (map.get(from) ?? new Set()).add(to));
    for (const { dataset: { from, to } } of moves) { link(parents, to, from); link(children, from, to); }

    let view = { x: 0, y: 0, w: width };
    const size = () => ({ across: Math.max(frame.clientWidth, 1), down: Math.max(frame.clientHeight, 1) });
    const farthest = () => { const { across, down } = size(); return Math.max(width, height * across / down); };

    function show(next) {
      const { across, down } = size();
      const w = Math.min(Math.max(next.w, Math.min(NEAR, width)), farthest());
      const h = w * down / across;
      const within = (at, span, all) => (span >= all ? (all - span) / 2 : Math.min(Math.max(at, 0), all - span));
      view = { w, x: within(next.x, w, width), y: within(next.y, h, height) };
      svg.setAttribute("viewBox", `${view.x} ${view.y} ${w} ${h}`);
    }

    const point = (x, y) => {
      const box = frame.getBoundingClientRect();
      const scale = view.w / size().across;
      return { x: view.x + (x - box.left) * scale, y: view.y + (y - box.top) * scale };
    };

    function zoom(by, at) {
      const before = view.w;
      const w = Math.min(Math.max(view.w / by, Math.min(NEAR, width)), farthest());
      show({ w, x: at.x - (at.x - view.x) * w / before, y: at.y - (at.y - view.y) * w / before });
    }

    const middle = () => { const { across, down } = size(); return { x: view.x + view.w / 2, y: view.y + view.w * down / across / 2 }; };
    const centre = ({ x, y }, w = view.w) => { const { across, down } = size(); show({ w, x: x - w / 2, y: y - w * down / across / 2 }); };
    const whole = () => show({ x: 0, y: 0, w: Infinity });

    function open() {
      whole();
      const { across, down } = size();
      const node = centred ?? svg.querySelector(".found")?.closest(".node");
      if (!nodes.length || (across / view.w >= READABLE && !node)) return;
      const near = Math.min(view.w, across / (READABLE + 0.45));
      if (node) { centre(places.get(node), near); return; }
      const { x, y } = places.get(nodes[0]); // above its children, all of which are in view if they can be seen so
      const far = [...children.get(numberOf(nodes[0])) ?? []].map((number) => Math.abs(places.get(byNumber(number)).x - x));
      const w = Math.min(view.w, Math.max(near, Math.min(2 * Math.max(...far, 0) + NEAR, across / VISIBLE)));
      centre({ x, y: y + w * down / across / 2 - 60 }, w);
    }

    // What leads to a board
    let chosen = null;
    function choose(node) {
      if (node === chosen) return;
      chosen?.classList.remove("chosen");
      chosen = node;
      for (const each of [...nodes, ...moves]) each.classList.remove("above");
      svg.classList.toggle("lit", node !== null);
      if (node === null) { said.replaceChildren(...resting.cloneNode(true).childNodes); return; }
      node.classList.add("chosen");
      const above = new Set([numberOf(node)]);
      for (const each of above) for (const parent of parents.get(each) ?? []) above.add(parent); // grows as it goes
      for (const each of nodes) each.classList.toggle("above", above.has(numberOf(each)));
      for (const each of moves) each.classList.toggle("above", above.has(each.dataset.from) && above.has(each.dataset.to));
      const play = document.createElement("a");
      play.href = node.dataset.play ?? node.getAttribute("href");
      play.textContent = "Play from here";
      said.replaceChildren(`${node.querySelector("title").textContent} · `, play);
    }

    // One tab stop among the boards; the keys go from one to another
    function rove(node) { for (const each of nodes) each.setAttribute("tabindex", each === node ? "0" : "-1"); }
    function go(node) {
      if (!node) return;
      rove(node);
      node.focus({ preventScroll: true });
      const { x, y } = places.get(node);
      const { across, down } = size();
      const inside = x > view.x + 40 && x < view.x + view.w - 40 && y > view.y + 40 && y < view.y + view.w * down / across - 40;
      if (!inside) centre({ x, y });
    }
    const byNumber = (number) => (number === undefined ? undefined : svg.getElementById(`n${number}`));
    const nearest = (numbers, x) => [...numbers ?? []].map(byNumber)
      .sort((one, other) => Math.abs(places.get(one).x - x) - Math.abs(places.get(other).x - x))[0];
    function beside(node, direction) {
      const { x, y } = places.get(node);
      return nodes.filter((each) => places.get(each).y === y && (places.get(each).x - x) * direction > 0)
        .sort((one, other) => Math.abs(places.get(one).x - x) - Math.abs(places.get(other).x - x))[0];
    }

    frame.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const node = event.target.closest?.(".node");
      const far = view.w / 6;
      const does = {
        "+": () => zoom(STEP, node ? places.get(node) : middle()), "=": () => zoom(STEP, node ? places.get(node) : middle()),
        "-": () => zoom(1 / STEP, middle()), "0": whole,
        ArrowUp: () => (node ? go(nearest(parents.get(numberOf(node)), places.get(node).x)) : show({ ...view, y: view.y - far })),
        ArrowDown: () => (node ? go(nearest(children.get(numberOf(node)), places.get(node).x)) : show({ ...view, y: view.y + far })),
        ArrowLeft: () => (node ? go(beside(node, -1)) : show({ ...view, x: view.x - far })),
        ArrowRight: () => (node ? go(beside(node, 1)) : show({ ...view, x: view.x + far })),
        Escape: () => choose(null),
      }[event.key];
      if (!does) return;
      event.preventDefault();
      does();
    });
    frame.addEventListener("focusin", (event) => { const node = event.target.closest(".node"); if (node) { rove(node); choose(node); } });

    // Pointers: one moves, two zoom
    const down = new Map();
    let moved = false;
    let before = null; // what was chosen before the press, which takes the focus and so chooses
    frame.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (down.size === 1) { moved = false; before = chosen; }
    });
    frame.addEventListener("pointermove", (event) => {
      const last = down.get(event.pointerId);
      if (!last) return;
      const now = { x: event.clientX, y: event.clientY };
      if (!moved && Math.hypot(now.x - last.x, now.y - last.y) < SLOP) return;
      if (!moved) { moved = true; frame.classList.add("moving"); for (const id of down.keys()) frame.setPointerCapture(id); }
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const apart = (place) => Math.hypot(place.x - other.x, place.y - other.y);
        zoom(apart(now) / Math.max(apart(last), 1), point((now.x + other.x) / 2, (now.y + other.y) / 2));
      } else {
        const scale = view.w / size().across;
        show({ ...view, x: view.x - (now.x - last.x) * scale, y: view.y - (now.y - last.y) * scale });
      }
      down.set(event.pointerId, now);
    });
    for (const end of ["pointerup", "pointercancel"])
      frame.addEventListener(end, (event) => { down.delete(event.pointerId); if (!down.size) frame.classList.remove("moving"); });
    frame.addEventListener("dragstart", (event) => event.preventDefault());
    frame.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "mouse" || down.size) return;
      const node = event.target.closest(".node");
      if (node) choose(node);
    });
    frame.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse" && !event.relatedTarget?.closest?.("#viewer")) choose(frame.contains(document.activeElement) ? chosen : null);
    });
    frame.addEventListener("wheel", (event) => {
      const by = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018));
      if ((by < 1 && view.w >= farthest() * 0.999) || (by > 1 && view.w <= Math.min(NEAR, width) * 1.001)) return; // the page scrolls
      event.preventDefault();
      zoom(by, point(event.clientX, event.clientY));
    }, { passive: false });

    frame.addEventListener("click", (event) => {
      if (moved) { event.preventDefault(); event.stopPropagation(); moved = false; return; }
      const node = event.target.closest(".node");
      if (!node) { choose(null); return; }
      if (event.pointerType === "touch" && node !== before) { event.preventDefault(); choose(node); return; } // first one sees
      if (!("opens" in node.dataset) || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      reopen(figure, node.getAttribute("href"), node.dataset.opens);
    }, true);

    for (const button of figure.querySelectorAll("[data-zoom]"))
      button.addEventListener("click", () => ({ in: () => zoom(STEP, middle()), out: () => zoom(1 / STEP, middle()), whole })[button.dataset.zoom]());

    frame.classList.add("live");
    if (nodes.length) frame.removeAttribute("tabindex"); // the boards take the focus
    rove(svg.querySelector(".node.found") ?? nodes[0]);
    if (svg.querySelector(".found")) svg.classList.add("lit");
    open();
    let across = frame.clientWidth;
    new ResizeObserver(() => { if (frame.clientWidth !== across) { across = frame.clientWidth; show(view); } }).observe(frame);
    return { go, byKey: (key) => nodes.find((each) => each.dataset.opens === key) };
  }

  // A branch is opened by the page that the server makes of it, of which the picture alone is taken.
  async function reopen(figure, url, key) {
    const answer = await fetch(url).catch(() => null);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    const next = page?.getElementById("viewer");
    if (!next) { location.assign(url); return; }
    figure.replaceWith(next);
    history.replaceState(history.state, "", url);
    const node = [...next.querySelectorAll(".node")].find((each) => each.dataset.opens === key);
    begin(next, node).go(node);
  }

  const figure = document.getElementById("viewer");
  if (figure) {
    begin(figure);
    if (location.hash === "#found") figure.scrollIntoView(); // the board is in its frame's middle already
  }
}
