// A page that the server had no time for asks again now and then, and is replaced once there is one.
const { seconds } = document.currentScript.dataset;
setTimeout(async function again() {
  const answer = await fetch(location.href).catch(() => ({ status: 503 }));
  if (answer.status === 503) setTimeout(again, 1000 * seconds);
  else location.reload();
}, 1000 * seconds);
