// Sounds made by the browser itself: a click for each stone, a chord for the end. Off until somebody switches them on.
let context = null;

function note(frequency, at, length, loud) {
  const [tone, volume, start] = [context.createOscillator(), context.createGain(), context.currentTime + at];
  tone.type = "triangle";
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(.001, start + length);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

const isOn = () => { try { return localStorage.getItem("sound") === "on"; } catch { return false; } };

function sound(stones, ended) {
  if (!isOn()) return;
  context ??= new AudioContext();
  if (stones) note(520, 0, .09, .12);
  if (stones > 1) note(390, .35, .09, .12);
  const chords = { won: [523, 659, 784], drawn: [392, 523], lost: [330, 392] };
  for (const [place, frequency] of (chords[ended] ?? []).entries()) note(frequency, .5 + .09 * place, .6, .08);
  navigator.vibrate?.(ended ? [12, 60, 12] : 8);
}

function shown() {
  const button = document.getElementById("sound");
  button.textContent = isOn() ? "♪ on" : "♪ off";
  button.setAttribute("aria-pressed", String(isOn()));
}

document.getElementById("sound")?.addEventListener("click", () => {
  try { localStorage.setItem("sound", isOn() ? "off" : "on"); } catch { return; }
  shown();
  sound(1, "");
});
const stones = () => document.querySelectorAll("#board .mark").length;
let before = stones();
document.addEventListener("htmx:after:swap", () => {
  const now = stones();
  if (now > before) sound(now - before, document.getElementById("game").dataset.ended);
  before = now;
});
if (document.getElementById("sound")) shown();
