"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const models = [...document.querySelectorAll(".model")];
const value = (root, name) => root.querySelector(`[data-of="${name}"]`);
const cell = (text) => /["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function ofModel(model) {
  const said = ["noun", "category", "front", "size_m"].map((name) => value(model, name).value.trim());
  return [model.dataset.file, ...said, value(model, "reviewed").checked ? "yes" : "no"];
}

function rows() {
  const found = [data.columns];
  for (const model of models) {
    const clips = [...model.querySelectorAll(".clip")];
    const head = ofModel(model);
    if (!clips.length) found.push([...head, "", "", "", "", ""]);
    clips.forEach((clip, k) => {
      const told = [clip.dataset.confidence, clip.dataset.told];
      found.push([...(k ? head.map(() => "") : head), clip.dataset.clip, value(clip, "verb").value.trim(),
        ...told, value(clip, "left_out").value.trim()]);
    });
  }
  return found;
}

function count() {
  const done = models.filter((m) => value(m, "reviewed").checked).length;
  document.getElementById("count").textContent = `${done} of ${models.length} reviewed`;
}

document.getElementById("save").addEventListener("click", () => {
  const text = rows().map((row) => row.map(cell).join("\t")).join("\n") + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/tab-separated-values" }));
  link.download = data.name;
  link.click();
  URL.revokeObjectURL(link.href);
});
document.getElementById("tick").addEventListener("click", () => {
  for (const model of models) value(model, "reviewed").checked = true;
  count();
});
document.getElementById("doubtful").addEventListener("change", (event) => {
  for (const model of models) {
    const clips = [...model.querySelectorAll(".clip")];
    for (const clip of clips) clip.hidden = event.target.checked && clip.classList.contains("high");
    model.hidden = clips.every((clip) => clip.hidden);
  }
});
document.addEventListener("change", count);
count();
