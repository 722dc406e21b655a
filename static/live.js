// News of a live game. The server names the game's present state in a word, its tag; where the page shows another one it
// asks for itself, and htmx swaps it. It is told over a stream, or asks now and then where there is none.

(() => {
  const ASK_EVERY = 2000; // milliseconds between two questions where no stream stays open
  const HIDDEN_EVERY = 5000; // the same while nobody sees the page: browsers allow a site few streams at a time
  const PATIENCE = 3000; // milliseconds without a connection until the page says so
  const SILENCE = 30000; // milliseconds without a word after which a stream is dead: the server says something twice as often
  const url = `${location.pathname.replace(/\/$/, "")}/news`;
  const byId = (id) => document.getElementById(id);
  const version = (tag) => Number.parseInt(tag, 10);
  let told = "";
  let stream = null;
  let next = 0; // the timer of the next question
  let silent = 0; // the timer of the end of a stream that says nothing
  let lost = 0; // the timer of the words about a lost connection
  let proofs = 0; // the timer of a page whose squares are being proved
  let refusal = null; // what was refused, while news are put into the page
  let wayBack = null; // the link back to the seat, which the server shows once, while something else is put into the page
  let side = byId("game")?.dataset.side; // the seat that the stream is for
  let kept = null; // a move made without a connection: its square, and the point of the game

  const shown = () => byId("game")?.dataset.tag ?? "";

  function refresh() {
    const news = byId("news");
    if (news) htmx.trigger(news, "news");
  }

  function hear(tag) {
    connected(true);
    told = tag;
    if (tag !== shown()) refresh();
    else sendKept();
  }

  const point = () => document.querySelector("#board-form [name=at]")?.value;

  /* Plays the move that was kept, where the game still waits for it. */
  function sendKept() {
    if (!kept) return;
    const { square, at } = kept;
    kept = null;
    byId("trouble").hidden = true;
    if (at === point()) byId(square)?.click();
  }

  /* Keeps a move that could not be sent, and says so once app.js has taken its mark off the board. */
  document.addEventListener("htmx:error", ({ target, detail }) => {
    const square = detail.ctx?.sourceEvent?.submitter ?? document.activeElement;
    if (target.id !== "board-form" || detail.ctx?.response || detail.error?.name === "AbortError" || !square?.matches(".sq")) return;
    kept = { square: square.id, at: point() };
    setTimeout(() => {
      byId("trouble-words").textContent = `You're offline. I'll send ${square.value} when you're back.`;
      if (!document.hidden) askAgain(ASK_EVERY);
    });
  });

  function connected(now) {
    clearTimeout(lost);
    lost = 0;
    if (now) byId("connection").hidden = true;
    else lost = setTimeout(() => { byId("connection").hidden = false; }, PATIENCE);
  }

  async function ask() {
    try {
      const answer = await fetch(`${url}?once=1${document.hidden ? "&hidden=1" : ""}`, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) });
      if (answer.ok) hear((await answer.text()).trim());
      else if (answer.status === 404) location.reload(); // the game has ended
    } catch {
      if (!lost && byId("connection").hidden) connected(false);
      if (kept) askAgain(ASK_EVERY);
    }
  }

  function askAgain(after) {
    clearTimeout(next);
    next = setTimeout(() => { ask(); listen(); }, after);
  }

  function hush() {
    clearTimeout(silent);
    stream?.close();
    stream = null;
  }

  /* Anew, whatever has become of the stream: it may be open and yet dead, after a sleep or a change of networks. */
  function comeBack() {
    hush();
    ask();
    listen();
  }

  function expectWord() {
    clearTimeout(silent);
    silent = setTimeout(comeBack, SILENCE);
  }

  function listen() {
    clearTimeout(next);
    if (document.hidden) {
      hush();
      askAgain(HIDDEN_EVERY);
      return;
    }
    if (stream && stream.readyState !== EventSource.CLOSED) return;
    stream = new EventSource(url);
    expectWord();
    stream.onopen = () => connected(true);
    stream.onmessage = ({ data }) => { expectWord(); hear(data); };
    stream.onerror = () => {
      if (!lost && byId("connection").hidden) connected(false);
      if (stream?.readyState === EventSource.CLOSED) askAgain(ASK_EVERY); // refused: a server that has no room for more
    };
  }

  /* A refusal is there to be read until one acts again, whatever news come. This hears of an answer before app.js does. */
  document.addEventListener("htmx:before:swap", (event) => {
    if (event.detail.ctx.response?.status === 404) { // the game has ended
      event.preventDefault();
      event.stopImmediatePropagation();
      location.reload();
    } else {
      refusal = event.target.id === "news" ? byId("refused")?.cloneNode(true) : null;
      refusal?.removeAttribute("role"); // it was read aloud
      wayBack = byId("way-back")?.cloneNode(true);
    }
  });

  /* After every answer: was there other news meanwhile, and do proofs go on? */
  document.addEventListener("htmx:after:swap", () => {
    if (refusal) byId("say").prepend(refusal);
    refusal = null;
    if (wayBack && !byId("way-back")) byId("players").before(wayBack);
    wayBack = null;
    clearTimeout(proofs);
    const again = Number(byId("game")?.dataset.again);
    if (again) proofs = setTimeout(refresh, again);
    if (side !== byId("game")?.dataset.side) { // a stream keeps its player here, and this one is for nobody or another
      side = byId("game")?.dataset.side;
      comeBack();
    }
    if (version(told) > version(shown())) setTimeout(refresh, 100);
    else setTimeout(sendKept);
  });

  document.addEventListener("visibilitychange", () => { if (document.hidden) listen(); else comeBack(); });
  addEventListener("online", comeBack);
  addEventListener("offline", () => {
    hush();
    askAgain(ASK_EVERY);
    connected(false);
  });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) comeBack(); });
  addEventListener("pagehide", hush);

  if (byId("news")) listen();
})();
