"use strict";
// All text goes in through textContent; nothing here reads or writes markup.
(() => {
  const data = JSON.parse(document.getElementById("report-data").textContent);
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const SVG = "http://www.w3.org/2000/svg";

  document.documentElement.classList.add("js");

  function el(tag, properties = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name in node) node[name] = value;
      else node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  function icon(outcome) {
    const svg = document.createElementNS(SVG, "svg");
    const use = document.createElementNS(SVG, "use");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `#i-${outcome}`);
    svg.append(use);
    return el("span", { className: `mark ${outcome}` }, svg);
  }

  // --- Leaderboard: sort by a column -------------------------------------------------------------------------

  for (const button of $$(".board thead button")) {
    button.addEventListener("click", () => {
      const board = button.closest("table");
      const heading = button.closest("th");
      const column = [...heading.parentNode.children].indexOf(heading);
      const numeric = button.dataset.sort === "number";
      const first = numeric ? "descending" : "ascending";
      const second = numeric ? "ascending" : "descending";
      const order = heading.getAttribute("aria-sort") === first ? second : first;
      for (const other of $$("thead th[aria-sort]", board)) other.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", order);
      const key = (row) => {
        const cell = row.children[column];
        if (!numeric) return cell.textContent.trim();
        return cell.dataset.value === "" ? -Infinity : Number(cell.dataset.value);
      };
      const sign = order === "ascending" ? 1 : -1;
      const body = board.tBodies[0];
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        return sign * (numeric ? (x === y ? 0 : x < y ? -1 : 1) : x.localeCompare(y));
      });
      body.append(...rows);
    });
  }

  // --- Charts: one of several groups at a time ---------------------------------------------------------------

  for (const choice of $$("[data-choose]")) {
    const section = choice.closest("section");
    const groups = $$("[data-group]", section);
    const show = () => {
      const chosen = $("input:checked", choice) || $("select", choice);
      for (const group of groups) group.hidden = group.dataset.group !== chosen.value;
    };
    choice.addEventListener("change", show);
    show();
  }

  // --- Gallery: the picture ----------------------------------------------------------------------------------

  const items = $$("li[data-question]");
  const articles = $$("article.scene");
  const texts = items.map((item) => $(".text", item).textContent);

  function light(article, on = [], from = [], words = "") {
    const shapes = $$("[data-object]", article);
    const lit = new Set(on);
    const source = new Set(from);
    let hole = "";
    for (const shape of shapes) {
      const object = shape.dataset.object;
      shape.classList.toggle("on", lit.has(object));
      shape.classList.toggle("from", source.has(object));
      if (lit.has(object)) hole += $(".edge", shape).getAttribute("d");
    }
    const veil = $(".veil", article);
    if (veil) {
      const { width, height } = $(".overlay", article).viewBox.baseVal;
      veil.classList.toggle("on", hole !== "");
      veil.setAttribute("d", `M0 0H${width}V${height}H0Z${hole}`);
    }
    $(".selected", article).textContent = words;
  }

  for (const box of $$(".show-all")) {
    box.addEventListener("change", () => box.closest("article").classList.toggle("outlined", box.checked));
  }

  // --- Gallery: one question ---------------------------------------------------------------------------------

  function objectsInWords(article, ids) {
    const labels = data.pictures[article.dataset.picture].objects;
    if (ids.length > 4) return `${ids.length} objects`;
    return ids.map((id) => (Object.hasOwn(labels, id) ? labels[id] : id)).join(", ");
  }

  function stepWords(article, question, number) {
    const { objects } = question.steps[number];
    return `Step ${number + 1} selects ${objects.length ? objectsInWords(article, objects) : "nothing"}.`;
  }

  function press(item, number) {
    const question = data.questions[item.dataset.question];
    const article = item.closest("article");
    const buttons = $$(".step", item);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === number)));
    if (number < 0 || !question.steps[number]) return light(article);
    const step = question.steps[number];
    const from = step.inputs.flatMap((i) => (question.steps[i] ? question.steps[i].objects : []));
    return light(article, step.objects, from, stepWords(article, question, number));
  }

  const pressed = (item) => $$(".step", item).findIndex((b) => b.getAttribute("aria-pressed") === "true");

  function programOf(item, question) {
    if (!question.steps.length) return null;
    const list = el("ol", { className: "steps" });
    question.steps.forEach((step, i) => {
      const last = i === question.steps.length - 1;
      const found = step.objects.length === 1 ? "1 object" : `${step.objects.length} objects`;
      const inputs = step.inputs.length > 1 ? ` · from ${step.inputs.map((n) => n + 1).join(" and ")}` : "";
      const result = (last ? `answer: ${question.answer}` : found) + inputs;
      const button = el("button", { type: "button", className: last ? "step last" : "step" },
        `${i + 1}. ${step.words}`, el("small", {}, result));
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => press(item, i));
      button.addEventListener("focus", () => press(item, i));
      button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && press(item, i));
      list.append(el("li", {}, button));
    });
    return el("div", {}, el("h4", {}, "How the answer is found"), list);
  }

  // The gauge runs from a tenth of the tolerance to a hundred times it, on a logarithmic scale.
  const onGauge = (ratio) => Math.min(100, Math.max(0, ((Math.log10(Math.max(ratio, 0.1)) + 1) / 3) * 100));

  function marginOf(article, question) {
    const { margin } = question;
    if (!margin && !question.steps.length) return null;
    if (!margin) return el("div", {}, el("h4", {}, "Margin"), el("p", { className: "gauge-words" }, "The answer hangs on no threshold."));
    const gauge = el("div", { className: "gauge" },
      el("div", { className: "scale" }), el("div", { className: "needle" }));
    gauge.style.setProperty("--one", String(onGauge(1)));
    gauge.style.setProperty("--v", String(onGauge(margin.ratio)));
    gauge.setAttribute("role", "img");
    gauge.setAttribute("aria-label", margin.words);
    for (const value of [1, 10]) {
      const tick = el("span", { className: "tick" }, `${value}×`);
      tick.style.left = `${onGauge(value)}%`;
      gauge.append(tick);
    }
    const words = el("p", { className: "gauge-words given" }, margin.words);
    if (margin.between.length) words.append(` Closest call: ${objectsInWords(article, margin.between)}.`);
    return el("div", {}, el("h4", {}, "Margin"), gauge, words);
  }

  function optionsOf(question) {
    if (!question.options.length) return null;
    const list = el("ol", { className: "options" });
    for (const option of question.options) {
      const by = option.by.map(([model, n, of]) => (of > 1 ? `${data.models[model]} (${n} of ${of})` : data.models[model]));
      const what = el("span", { className: "what given" }, option.text);
      if (option.right) what.append(el("span", { className: "hidden" }, " – the right answer"));
      list.append(el("li", { className: option.right ? "right" : "" },
        el("span", { className: "letter" }, `${option.letter}.`), what,
        el("span", { className: "by given" }, by.length ? `picked by ${by.join(", ")}` : "")));
    }
    return el("div", {}, el("h4", {}, "Options – the right one is marked"), list);
  }

  function referencesOf(question) {
    if (!question.references.length) return null;
    const list = el("ol", { className: "references" });
    for (const text of question.references) list.append(el("li", { className: "given" }, text));
    return el("div", {}, el("h4", {}, "What people wrote"), list);
  }

  function answersOf(question) {
    if (!data.models.length) return null;
    const captions = question.references.length > 0;
    const title = captions ? "What each model wrote"
      : question.options.length ? "What each model answered"
        : `What each model answered – correct is “${question.answer}”`;
    const list = el("div", { className: captions ? "answers captions" : "answers" }, el("h4", {}, title));
    data.models.forEach((model, i) => {
      const given = question.answers[i];
      const words = data.outcomes[given.outcome];
      const how = captions && given.outcome === "written" ? "" : `${words}${given.how ? ` · read by: ${given.how}` : ""}`;
      const line = [icon(given.outcome), el("span", { className: "given" }, model),
        el("span", { className: "given picked" }, given.picked === null ? "–" : given.picked),
        el("span", { className: "given how" }, how)];
      const body = given.error ? `${given.error}\n${given.text}`.trim() : given.text;
      const values = given.values.map((line) => el("p", { className: "values given" }, line));
      if (!body) {
        list.append(el("div", { className: "line" }, ...line), ...values);
        return;
      }
      const cut = given.length > given.text.length
        ? el("p", { className: "note" }, `The first ${given.text.length} of ${given.length} characters.`) : null;
      list.append(el("details", {}, el("summary", { className: "line" }, ...line), el("pre", {}, body), ...(cut ? [cut] : [])), ...values);
    });
    return list;
  }

  function moreOf(question) {
    const facts = question.facts.map(([name, value]) => el("span", { className: "given" }, `${name}: ${value}`));
    const link = el("a", {}, "link to this question");
    link.href = `#${new URLSearchParams({ question: question.id })}`;
    return el("p", { className: "more" }, ...facts, link);
  }

  let open = null;

  function close(item) {
    item.classList.remove("open");
    $(".row", item).setAttribute("aria-expanded", "false");
    $(".detail", item)?.remove();
    light(item.closest("article"));
    if (open === item) open = null;
  }

  function show(item, scroll = false) {
    if (open && open !== item) close(open);
    if (open !== item) {
      const question = data.questions[item.dataset.question];
      const parts = [programOf(item, question), optionsOf(question), referencesOf(question), answersOf(question), marginOf(item.closest("article"), question), moreOf(question)];
      item.append(el("div", { className: "detail" }, ...parts.filter((part) => part !== null)));
      item.classList.add("open");
      $(".row", item).setAttribute("aria-expanded", "true");
      open = item;
      if (question.steps.length) press(item, question.steps.length - 1);
    }
    if (scroll) {
      const narrow = matchMedia("(max-width: 52rem)").matches;
      const covered = narrow ? $(".view", item.closest("article")).offsetHeight : 0;
      item.style.scrollMarginTop = `${covered + 56}px`;
      // Twice: what lies above takes its true height only once it has come near.
      const there = () => item.scrollIntoView({ block: "start", behavior: "instant" });
      there();
      requestAnimationFrame(there);
    }
  }

  for (const item of items) {
    $(".row", item).addEventListener("click", () => {
      if (open === item) close(item);
      else show(item);
      remember();
    });
  }

  // --- Gallery: filters, and the address that remembers them -------------------------------------------------

  const form = $("#filters");
  const field = (name) => form.elements.namedItem(name);
  const every = ["task", "model", "outcome", "answer", "low", "high", "words"];
  const names = every.filter((name) => field(name));

  function outcomeFits(answers, model, outcome) {
    if (outcome === "") return true;
    if (outcome === "split") {
      const right = answers.filter((a) => a.outcome === "right").length;
      return right > 0 && right < answers.length;
    }
    return (model === "" ? answers : [answers[Number(model)]]).some((a) => a && a.outcome === outcome);
  }

  function fits(index, wanted) {
    const question = data.questions[index];
    if (wanted.task && question.task !== wanted.task) return false;
    if (wanted.answer && question.key !== wanted.answer) return false;
    if (!outcomeFits(question.answers, wanted.model, wanted.outcome)) return false;
    if (wanted.low !== "" || wanted.high !== "") {
      if (!question.margin) return false;
      if (wanted.low !== "" && question.margin.ratio < Number(wanted.low)) return false;
      if (wanted.high !== "" && question.margin.ratio > Number(wanted.high)) return false;
    }
    const words = wanted.words.trim().toLowerCase();
    if (!words) return true;
    const where = [texts[index], question.id, question.answer, ...question.options.map((o) => o.text),
      ...question.references, ...question.answers.map((a) => a.text)];
    return where.some((text) => text.toLowerCase().includes(words));
  }

  function filter() {
    const wanted = Object.fromEntries(every.map((name) => [name, field(name)?.value ?? ""]));
    let shown = 0;
    for (const item of items) {
      item.hidden = !fits(Number(item.dataset.question), wanted);
      if (item.hidden && open === item) close(item);
      if (!item.hidden) shown += 1;
    }
    let pictures = 0;
    for (const article of articles) {
      article.hidden = !$("li[data-question]:not([hidden])", article);
      if (!article.hidden) pictures += 1;
    }
    const of = shown === items.length ? "" : ` of ${items.length}`;
    $("#count").textContent = `${shown}${of} ${items.length === 1 ? "question" : "questions"} on ${pictures} ${data.noun[pictures === 1 ? 0 : 1]}`;
    $("#none").hidden = shown > 0;
  }

  function remember() {
    const state = new URLSearchParams();
    for (const name of names) if (field(name).value) state.set(name, field(name).value);
    if (open) state.set("question", data.questions[open.dataset.question].id);
    history.replaceState(null, "", `#${state.toString() || "gallery"}`);
  }

  // An address is either a section's name, or filters and a question as a query.
  function obey() {
    const address = location.hash.slice(1);
    if (!address.includes("=")) return;
    const state = new URLSearchParams(address);
    for (const name of names) {
      const value = state.get(name) ?? "";
      field(name).value = field(name).type === "number" && !Number.isFinite(Number(value)) ? "" : value;
    }
    filter();
    const wanted = items.find((item) => data.questions[item.dataset.question].id === state.get("question"));
    if (wanted && wanted.hidden) {
      form.reset();
      filter();
    }
    if (wanted) show(wanted, true);
    else $("#gallery").scrollIntoView();
  }

  let waiting = 0;
  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { filter(); remember(); }, event.target.tagName === "SELECT" ? 0 : 120);
  });
  form.addEventListener("reset", () => setTimeout(() => { filter(); remember(); }, 0));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", obey);

  // --- Keys --------------------------------------------------------------------------------------------------

  function move(by) {
    const visible = items.filter((item) => !item.hidden);
    if (!visible.length) return;
    const current = open ?? document.activeElement?.closest("li[data-question]");
    const at = visible.indexOf(current);
    const next = visible[Math.min(visible.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
    show(next, true);
    $(".row", next).focus({ preventScroll: true });
    remember();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, select, textarea");
    if (typing) {
      if (event.key === "Escape") typing.blur();
      return;
    }
    const steps = open ? data.questions[open.dataset.question].steps.length : 0;
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") { $(".filters-box").open = true; field("words").focus(); }
    else if (event.key === "Escape" && open) { const row = $(".row", open); close(open); row.focus(); remember(); }
    else if (event.key === "ArrowRight" && steps) press(open, Math.min(steps - 1, pressed(open) + 1));
    else if (event.key === "ArrowLeft" && steps) press(open, Math.max(0, pressed(open) - 1));
    else return;
    event.preventDefault();
  });

  if (matchMedia("(max-width: 52rem)").matches) $(".filters-box").open = false;
  filter();
  obey();
})();
