// News of a live game. The server names the game's present state in a word, its tag; where the page shows another one it
// asks for itself, and htmx swaps it. It is told over a stream, or asks now and then where there is none.

(() => {
  const ASK_EVERY = 2000; // milliseconds between two questions where no stream stays open
  const HIDDEN_EVERY = 5000; // the same while nobody sees the page: browsers allow a site few streams at a time
  const PATIENCE = 3000; // milliseconds without a connection until the page says so
  const url = `${location.pathname.replace(/\/$/, "")}/news`;
  const byId = (id) => document.getElementById(id);
  const version = (tag) => Number.parseInt(tag, 10);
  let told = "";
  let stream = null;
  let next = 0; // the timer of the next question
  let lost = 0; // the timer of the words about a lost connection
  let proofs = 0; // the timer of a page whose squares are being proved

  const shown = () => byId("game")?.dataset.tag ?? "";

  function refresh() {
    const news = byId("news");
    if (news) htmx.trigger(news, "news");
  }

  function hear(tag) {
    connected(true);
    told = tag;
    if (tag !== shown()) refresh();
  }

  function connected(now) {
    clearTimeout(lost);
    lost = 0;
    if (now) byId("connection").hidden = true;
    else lost = setTimeout(() => { byId("connection").hidden = false; }, PATIENCE);
  }

  async function ask() {
    try {
      const answer = await fetch(`${url}?once=1`, { cache: "no-cache" });
      if (answer.ok) hear((await answer.text()).trim());
      else if (answer.status === 404) location.reload(); // the game has ended
    } catch {
      if (!lost && byId("connection").hidden) connected(false);
    }
  }

  function askAgain(after) {
    clearTimeout(next);
    next = setTimeout(async () => { await ask(); listen(); }, after);
  }

  function listen() {
    clearTimeout(next);
    if (document.hidden) {
      stream?.close();
      stream = null;
      askAgain(HIDDEN_EVERY);
      return;
    }
    if (stream && stream.readyState !== EventSource.CLOSED) return;
    stream = new EventSource(url);
    stream.onopen = () => connected(true);
    stream.onmessage = ({ data }) => hear(data);
    stream.onerror = () => {
      if (!lost && byId("connection").hidden) connected(false);
      if (stream?.readyState === EventSource.CLOSED) askAgain(ASK_EVERY); // refused: a server that has no room for more
    };
  }

  /* After every answer: was there other news meanwhile, and do proofs go on? */
  document.addEventListener("htmx:after:swap", () => {
    clearTimeout(proofs);
    const again = Number(byId("game")?.dataset.again);
    if (again) proofs = setTimeout(refresh, again);
    if (version(told) > version(shown())) setTimeout(refresh, 100);
  });

  document.addEventListener("visibilitychange", async () => {
    if (!document.hidden) await ask();
    listen();
  });
  addEventListener("online", async () => {
    stream?.close();
    stream = null;
    await ask();
    listen();
  });
  addEventListener("offline", () => {
    stream?.close();
    stream = null;
    clearTimeout(next);
    connected(false);
  });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) ask().then(listen); });
  addEventListener("pagehide", () => { stream?.close(); stream = null; });

  if (byId("news")) listen();
})();
