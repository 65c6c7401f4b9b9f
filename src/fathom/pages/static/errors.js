(() => {
  "use strict";
  const lines = JSON.parse(document.getElementById("lines").textContent);
  const cards = [...document.querySelectorAll(".error-card")];
  const reviewer = document.getElementById("reviewer");
  const key = `fathom errors ${lines.key}`;

  // What was chosen is kept by the browser where it may be, so that a closed window loses nothing.
  const kept = (() => {
    try { return JSON.parse(localStorage.getItem(key)) || {}; } catch { return {}; }
  })();
  const labels = kept.labels || {};
  const notes = kept.notes || {};
  reviewer.value = kept.reviewer || "";

  function keep() {
    try { localStorage.setItem(key, JSON.stringify({ labels, notes, reviewer: reviewer.value })); } catch { /* not allowed here */ }
    const done = Object.keys(labels).length;
    document.getElementById("done").textContent = `${done} of ${cards.length} labelled`;
  }

  function choose(card, label) {
    labels[lines.lines[card].question] = label;
    cards[card].classList.add("done");
    const box = [...cards[card].querySelectorAll("input[type=radio]")].find((b) => b.value === label);
    if (box) box.checked = true;
    keep();
  }

  let current = 0;
  function go(card) {
    current = Math.max(0, Math.min(cards.length - 1, card));
    cards.forEach((c, k) => c.classList.toggle("current", k === current));
    cards[current].focus({ preventScroll: true });
    cards[current].scrollIntoView({ block: "start" });
  }
  const open = () => cards.findIndex((_, k) => !labels[lines.lines[k].question]);

  cards.forEach((card, k) => {
    const name = lines.lines[k].question;
    card.addEventListener("change", (event) => {
      if (event.target.type === "radio") choose(k, event.target.value);
    });
    card.addEventListener("focusin", () => { current = k; });
    const note = card.querySelector(".error-note");
    note.value = notes[name] || "";
    note.addEventListener("input", () => { notes[name] = note.value; keep(); });
    if (labels[name]) choose(k, labels[name]);
  });

  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input[type=text]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const names = lines.labels;
    if (event.key >= "1" && event.key <= String(names.length)) {
      choose(current, names[Number(event.key) - 1]);
      go(current + 1);
    } else if (event.key === "j") go(current + 1);
    else if (event.key === "k") go(current - 1);
    else return;
    event.preventDefault();
  });

  document.getElementById("next").addEventListener("click", () => { if (open() >= 0) go(open()); });
  reviewer.addEventListener("input", keep);
  document.getElementById("save").addEventListener("click", () => {
    const who = reviewer.value.trim();
    const text = lines.lines
      .map((line) => JSON.stringify({ ...line, label: labels[line.question] || "", note: notes[line.question] || "", reviewer: who }))
      .join("\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "application/jsonl" }));
    link.download = `errors-${who.toLowerCase().replace(/[^a-z0-9]+/g, "-") || "labels"}.jsonl`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
  document.documentElement.classList.add("js");
  keep();
})();
