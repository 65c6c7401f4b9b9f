"use strict";
// The page on which people work. Texts from the server are only ever set as text, never as markup.
(() => {
  const work = document.getElementById("work");
  const setup = JSON.parse(work.dataset.review);
  const KEY = `fathom-review-${setup.review}-${setup.person}`;
  const shownPane = document.getElementById("shown");
  const askedPane = document.getElementById("asked");
  const RETRY_MS = 3000;

  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === false || value === null || value === undefined) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "text") node.textContent = value;
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((c) => c !== null));
    return node;
  };
  const unique = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

  // --- what waits to be sent: kept in the browser until the server has acknowledged it -------------------
  const waiting = {
    all() { try { return JSON.parse(localStorage.getItem(KEY) || "[]"); } catch { return []; } },
    put(entries) { localStorage.setItem(KEY, JSON.stringify(entries)); tellSending(); tellProgress(); },
    add(entry) { this.put([...this.all(), entry]); },
    drop(client) { this.put(this.all().filter((e) => e.client !== client)); },
  };
  const tellSending = (problem = "") => {
    const n = waiting.all().length;
    const words = n ? `${n} ${n === 1 ? "answer waits" : "answers wait"} to be sent` : "";
    document.getElementById("sending").textContent = problem || (offline || n > 1 ? words : "");
  };
  let offline = false;
  let sending = null;

  const post = async (path, body) => {
    const text = JSON.stringify(body);
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Fathom": "review" },
      body: text,
      keepalive: text.length < 10000, // an answer under way outlives its page; browsers bound how much may
    });
    const found = await response.json().catch(() => ({ error: `the server answered ${response.status}` }));
    if (!response.ok) throw Object.assign(new Error(found.error || `the server answered ${response.status}`), { status: response.status });
    return found;
  };

  // Send everything that waits, oldest first. What the server refuses is given back to the person, not lost.
  const flush = () => {
    sending ??= (async () => {
      let last = null;
      await null; // so that `sending` is set before this ends
      try {
        for (let entry = waiting.all()[0]; entry; entry = waiting.all()[0]) {
          last = { entry, reply: await post("/api/entry", entry) };
          offline = false;
          waiting.drop(entry.client);
          hear(last.reply);
        }
        return last;
      } catch (error) {
        if (error.status && error.status < 500) {
          const entry = waiting.all()[0];
          waiting.drop(entry.client);
          return { entry, refused: error.message };
        }
        offline = true;
        tellSending(error.status === 507 ? error.message : "");
        setTimeout(flush, RETRY_MS);
        return null;
      } finally {
        sending = null;
      }
    })();
    return sending;
  };
  window.addEventListener("online", flush);

  // --- the items ------------------------------------------------------------------------------------------
  let queue = [];
  let current = null;
  let given = {};
  let begun = 0;
  // How many items the server counts as done, as of which of the person's entries. Replies may overtake
  // one another: an older count never replaces a newer one. What waits to be sent is counted besides.
  let counted = { done: 0, newest: -1 };
  let total = 0;
  const lastStage = setup.stages[setup.stages.length - 1];
  const unsent = () => waiting.all().filter((entry) => entry.stage === lastStage.name).length;
  const hear = (reply) => {
    if (reply.newest >= counted.newest) counted = { done: reply.done, newest: reply.newest };
    tellProgress();
  };
  const left = new Set();

  const prefetch = (item) => {
    for (const n of [...item.pictures, ...item.clips.flatMap((c) => c.frames)]) new Image().src = `/picture/${item.id}/${n}`;
  };
  const refill = async () => {
    try {
      const found = await (await fetch("/api/next")).json();
      if (found.error) throw new Error(found.error);
      total = found.of;
      // With an answer under way it is not known whether this counts it already; that answer's reply will.
      if (counted.newest < 0 || !waiting.all().length) hear(found);
      const known = new Set([current?.id, ...queue.map((i) => i.id), ...left]);
      for (const item of sheet?.items || []) known.add(item.id);
      const fresh = found.items.filter((item) => !known.has(item.id));
      fresh.forEach(prefetch);
      queue.push(...fresh);
      offline = false;
    } catch { offline = true; }
    tellSending();
    tellProgress();
  };
  const tellProgress = () => {
    const done = counted.done + unsent();
    const of = Math.max(total, done);
    const share = of ? Math.round((100 * done) / of) : 0;
    document.getElementById("fill").style.width = `${share}%`;
    document.querySelector(".progress").setAttribute("aria-valuenow", share);
    document.getElementById("count").textContent = of ? `${done} of ${of}` : "";
  };
  // Counts what was put before the person, so that what was waited for does not cover what came meanwhile.
  let turn = 0;
  let advancing = null;
  const advance = () => (advancing = next());
  const next = async () => {
    const mine = ++turn;
    current = null; // what is on the page until the next item comes is answered
    if (queue.length < setup.together) await refill();
    if (turn !== mine) return; // taken back, given back or looked up again meanwhile
    if (setup.together > 1 && queue.length) return showSheet(queue.splice(0, setup.together));
    current = queue.shift() || null;
    show();
    if (queue.length < 2) refill();
  };

  // --- what is shown --------------------------------------------------------------------------------------
  const zoom = { scale: 1, x: 0, y: 0 };
  const place = () => {
    zoom.scale = Math.min(12, Math.max(1, zoom.scale));
    const least = 1 - zoom.scale;
    zoom.x = Math.min(0, Math.max(least, zoom.x));
    zoom.y = Math.min(0, Math.max(least, zoom.y));
    for (const view of shownPane.querySelectorAll(".view")) {
      const inner = view.firstElementChild;
      inner.style.transform = `translate(${zoom.x * 100}%, ${zoom.y * 100}%) scale(${zoom.scale})`;
      for (const layer of view.querySelectorAll("svg")) layer.style.transform = inner.style.transform;
      view.classList.toggle("near", zoom.scale > 1);
    }
  };
  const zoomAt = (view, event, factor) => {
    const box = view.getBoundingClientRect();
    const [px, py] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const before = zoom.scale;
    zoom.scale = Math.min(12, Math.max(1, zoom.scale * factor));
    const change = zoom.scale / before;
    zoom.x = px - (px - zoom.x) * change;
    zoom.y = py - (py - zoom.y) * change;
    place();
  };
  let marking = null;
  const inside = (view, event) => {
    const box = view.getBoundingClientRect();
    const at = (value, start, length, moved) => Math.min(1, Math.max(0, ((value - start) / length - moved) / zoom.scale));
    return [at(event.clientX, box.left, box.width, zoom.x), at(event.clientY, box.top, box.height, zoom.y)];
  };
  const handles = (view, picture) => {
    const pointers = new Map();
    let apart = 0;
    let from = null;
    view.addEventListener("wheel", (event) => { event.preventDefault(); zoomAt(view, event, event.deltaY < 0 ? 1.25 : 0.8); }, { passive: false });
    view.addEventListener("pointerdown", (event) => {
      view.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
      if (marking && picture !== null && pointers.size === 1) from = inside(view, event);
    });
    view.addEventListener("pointermove", (event) => {
      if (!pointers.has(event.pointerId)) return;
      const before = pointers.get(event.pointerId);
      pointers.set(event.pointerId, event);
      if (pointers.size === 2) {
        from = null;
        const [a, b] = pointers.values();
        const now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        if (apart) zoomAt(view, { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }, now / apart);
        apart = now;
      } else if (from) {
        marking.draft(picture, [...from, ...inside(view, event)]);
      } else if (zoom.scale > 1) {
        const box = view.getBoundingClientRect();
        zoom.x += (event.clientX - before.clientX) / box.width;
        zoom.y += (event.clientY - before.clientY) / box.height;
        place();
      } else if (event.pointerType === "touch") {
        window.scrollBy(0, before.clientY - event.clientY);
      }
    });
    const end = (event) => {
      pointers.delete(event.pointerId);
      apart = 0;
      if (from && marking && event.type === "pointerup") marking.add(picture, [...from, ...inside(view, event)]);
      from = null;
    };
    view.addEventListener("pointerup", end);
    view.addEventListener("pointercancel", end);
    view.addEventListener("dblclick", (event) => { if (zoom.scale > 1) { Object.assign(zoom, { scale: 1, x: 0, y: 0 }); place(); } else zoomAt(view, event, 2.5); });
  };

  let playing = 0;
  const player = (clips) => {
    // All clips play in step: one scrubber over the longest of them.
    const longest = Math.max(...clips.map((c) => c.count));
    const fps = clips[0].fps || 1;
    const scrub = make("input", { type: "range", min: 0, max: longest - 1, value: 0, step: 1, "aria-label": "Frame" });
    const out = make("output");
    const button = make("button", { type: "button", class: "ghost", "aria-label": "Play" }, "▶");
    const go = (frame) => {
      scrub.value = frame;
      const placeIn = (clip) => Math.min(clip.count - 1, Math.round((frame * clip.count) / longest));
      const at = clips[0].times[placeIn(clips[0])];
      out.textContent = `${Number(frame) + 1} / ${longest}${at === undefined ? "" : ` · ${at.toFixed(2)} s`}`;
      for (const clip of clips) clip.seek(placeIn(clip));
    };
    const stop = () => { clearInterval(playing); playing = 0; button.textContent = "▶"; button.setAttribute("aria-label", "Play"); };
    const toggle = () => {
      if (playing) return stop();
      button.textContent = "❚❚"; button.setAttribute("aria-label", "Pause");
      if (Number(scrub.value) >= longest - 1) go(0);
      playing = setInterval(() => { if (Number(scrub.value) >= longest - 1) stop(); else go(Number(scrub.value) + 1); }, 1000 / Math.max(0.5, fps));
    };
    button.addEventListener("click", toggle);
    scrub.addEventListener("input", () => { stop(); go(scrub.value); });
    go(0);
    return { node: make("div", { class: "player" }, button, scrub, out), toggle, step: (by) => { stop(); go(Math.min(longest - 1, Math.max(0, Number(scrub.value) + by))); } };
  };
  let clipPlayer = null;
  // Nothing is known that is left to ask. While answers wait, the server cannot tell of what comes after
  // them, so it is asked again once it has them all; only then is it done, and the page may be closed.
  const showEnd = () => {
    const end = (id, text) => askedPane.replaceChildren(make("p", { class: "question", id, text }));
    if (offline) {
      end("unsent", "There is no connection. What you said is kept, and sent when there is one.");
      setTimeout(() => { if (!current) advance(); }, RETRY_MS);
    } else if (waiting.all().length) {
      end("unsent", "What you said is being sent. Please keep this page open.");
      flush().then(() => { if (!current) advance(); });
    } else end("finished", "Everything is done. Thank you.");
  };
  const show = () => {
    work.dataset.item = current ? `${current.id} ${current.stage}` : "";
    turn += 1;
    clearInterval(playing); playing = 0; clipPlayer = null; marking = null;
    Object.assign(zoom, { scale: 1, x: 0, y: 0 });
    shownPane.replaceChildren();
    if (!current) return showEnd();
    const many = current.pictures.length + current.clips.length;
    const grid = make("div", { class: `grid${many === 1 ? " one" : many > 4 ? " many" : ""}` });
    current.pictures.forEach((n, k) => {
      const view = make("div", { class: "view", "data-picture": k }, make("img", { src: `/picture/${current.id}/${n}`, alt: `Picture ${k + 1} of ${current.pictures.length}`, draggable: "false" }));
      handles(view, k);
      for (const [picture, x0, y0, x1, y1] of current.outlined) {
        if (picture !== k) continue;
        const layer = svg("svg", { class: "boxes", viewBox: "0 0 1 1", preserveAspectRatio: "none" });
        layer.append(svg("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
        view.append(layer);
      }
      grid.append(view);
    });
    const clips = current.clips.map((clip, k) => {
      const title = clip.title || (current.clips.length > 1 ? `View ${k + 1}` : "Video");
      if (!clip.frames.length) {
        const video = make("video", { src: `/film/${current.id}/${k}`, muted: true, playsinline: true, preload: "auto", "aria-label": title });
        const view = make("div", { class: "view" }, video);
        handles(view, null);
        grid.append(make("figure", {}, view, make("figcaption", { class: "label", text: title })));
        return { count: Math.max(2, Math.round((clip.fps || 12) * 10)), fps: clip.fps, times: [], seek: (n) => { if (video.duration) video.currentTime = (n / Math.max(1, Math.round((clip.fps || 12) * 10) - 1)) * video.duration; } };
      }
      const image = make("img", { src: `/picture/${current.id}/${clip.frames[0]}`, alt: title, draggable: "false" });
      const view = make("div", { class: "view" }, image);
      handles(view, null);
      grid.append(make("figure", {}, view, make("figcaption", { class: "label", text: title })));
      const id = current.id;
      return { count: clip.frames.length, fps: clip.fps, times: clip.times, seek: (n) => { image.src = `/picture/${id}/${clip.frames[n]}`; } };
    });
    if (many) shownPane.append(grid);
    if (clips.length) { clipPlayer = player(clips); shownPane.append(clipPlayer.node); }
    begun = performance.now();
    given = { ...(current.said[current.stage] || {}) };
    ask();
    work.focus({ preventScroll: true });
  };

  // --- several items at once: one key judges the one that is framed, and goes on to the next ------------
  let sheet = null; // { items, said: id → value, at: place }
  const imagesOf = (item) => item.clips.length && item.clips[0].frames.length ? item.clips[0].frames : item.pictures.slice(0, 1);
  const showSheet = (items) => {
    sheet = { items, said: new Map(), at: 0 };
    clearInterval(playing); playing = 0; clipPlayer = null; marking = null;
    begun = performance.now();
    const tiles = items.map((item, k) => {
      const images = imagesOf(item);
      return make("li", {},
        make("button", { type: "button", class: "tile", "aria-label": `${item.title}: choose`, onclick: () => frame(k), ondblclick: () => lookClosely(k) },
          make("img", { src: `/picture/${item.id}/${images[Math.floor(images.length / 2)]}`, alt: item.title, draggable: "false" }),
          make("span", { class: "verdict" })));
    });
    shownPane.replaceChildren(make("ol", { class: "sheet" }, ...tiles));
    frame(0);
    work.focus({ preventScroll: true });
    if (queue.length < setup.together) refill();
  };
  const frame = (k) => {
    sheet.at = k;
    clearInterval(playing);
    const tiles = [...shownPane.querySelectorAll(".tile")];
    tiles.forEach((tile, j) => { tile.classList.toggle("framed", j === k); tile.setAttribute("aria-current", String(j === k)); });
    tiles[k].scrollIntoView({ block: "nearest" });
    const item = sheet.items[k];
    work.dataset.item = `${item.id} ${setup.stages[0].name}`;
    const images = imagesOf(item);
    const image = tiles[k].querySelector("img");
    let n = Math.floor(images.length / 2);
    const moves = images.length > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (moves) playing = setInterval(() => { n = (n + 1) % images.length; image.src = `/picture/${item.id}/${images[n]}`; }, 1000 / Math.max(1, item.clips[0].fps || 4));
    keys = new Map();
    const field = setup.stages[0].fields[0];
    askedPane.replaceChildren(
      make("p", { class: "where", text: `${k + 1} of ${sheet.items.length} on this page` }),
      make("p", { class: "question", text: item.title }),
      make("fieldset", { role: "radiogroup", "aria-label": field.title }, make("legend", { text: setup.stages[0].title }),
        ...field.choices.map((c) => {
          keys.set(c.key.toLowerCase(), () => judge(field, c));
          return make("button", { type: "button", class: "choice", role: "radio", "aria-checked": String(sheet.said.get(item.id) === c.value), onclick: () => judge(field, c) },
            make("kbd", { text: c.key.toUpperCase(), "aria-hidden": "true" }), make("span", {}, make("span", { text: c.title }), c.meaning ? make("small", { text: ` ${c.meaning}` }) : null));
        })),
      make("p", { class: "problem", role: "alert", id: "problem" }),
      make("div", { class: "send" }, make("button", { type: "button", class: "ghost", onclick: () => lookClosely(k) }, "Look closely", make("kbd", { text: "Enter", "aria-hidden": "true" }))),
    );
  };
  const judge = async (field, choice) => {
    const here = sheet;
    const item = here.items[here.at];
    const entry = { item: item.id, stage: setup.stages[0].name, values: { [field.name]: choice.value }, client: unique(), seconds: Math.round(performance.now() - begun) / 1000 };
    begun = performance.now();
    waiting.add(entry);
    left.add(item.id);
    here.said.set(item.id, choice.value);
    const badge = shownPane.querySelectorAll(".verdict")[here.at];
    badge.textContent = choice.title;
    badge.dataset.key = choice.key;
    const open = here.items.findIndex((other) => !here.said.has(other.id));
    if (open < 0) { sheet = null; clearInterval(playing); playing = 0; advance(); } else frame(open);
    const found = await flush();
    if (found?.refused && found.entry.client === entry.client && sheet === here) {
      here.said.delete(item.id);
      left.delete(item.id);
      badge.textContent = "";
      frame(here.items.indexOf(item));
      document.getElementById("problem").textContent = found.refused;
    }
  };
  // What is not judged of a page waits again, first of all.
  const leaveSheet = () => {
    if (!sheet) return;
    const { items, said } = sheet;
    sheet = null;
    queue.unshift(...items.filter((item) => !said.has(item.id)));
  };
  const lookClosely = (k) => {
    const item = sheet.items[k];
    leaveSheet();
    queue = queue.filter((other) => other.id !== item.id);
    current = item;
    show();
  };

  // --- what is asked --------------------------------------------------------------------------------------
  const stageOf = (item) => setup.stages.find((s) => s.name === item.stage) || lastStage;
  const isAsked = (field) => !current.without.includes(field.name) && Object.entries(field.when || {}).every(([name, wanted]) => wanted.includes(given[name]));
  let keys = new Map();

  const choose = (field, value) => {
    if (!current) return; // a key pressed while the next item is on its way
    given[field.name] = given[field.name] === value ? undefined : value;
    // Of two ways to answer a stage, the one that was chosen last counts.
    const stage = stageOf(current);
    const rivals = stage.fields.filter((f) => f !== field && f.needed === false && !f.when && ["option", "choice"].includes(f.kind) && ["option", "choice"].includes(field.kind) && field.needed === false);
    if (given[field.name] !== undefined) for (const rival of rivals) delete given[rival.name];
    ask();
    const open = stage.fields.filter(isAsked);
    const writes = open.some((f) => ["text", "lines", "boxes"].includes(f.kind) || (f.kind === "option" && !current.options.length));
    const missing = open.some((f) => f.needed !== false && given[f.name] === undefined);
    if (!writes && !missing && given[field.name] !== undefined) send();
  };
  const button = (field, value, title, key, meaning) => {
    const node = make("button", { type: "button", class: "choice", role: "radio", "aria-checked": String(given[field.name] === value), onclick: () => choose(field, value) },
      make("kbd", { text: key.toUpperCase(), "aria-hidden": "true" }), make("span", {}, make("span", { text: title }), meaning ? make("small", { text: ` ${meaning}` }) : null));
    if (key) keys.set(key.toLowerCase(), () => choose(field, value));
    return node;
  };
  const area = (field, value, onchange) => make(field.rows === 1 ? "input" : "textarea", {
    id: `field-${field.name}`, type: field.rows === 1 ? "text" : false, rows: field.rows || 2, placeholder: field.placeholder || false, maxlength: 10000,
    oninput: (event) => onchange(event.target.value),
  });
  const control = (field) => {
    const title = field.title ? make("legend", { text: field.title + (field.needed === false && field.kind !== "option" && field.left_out ? ` (${field.left_out})` : "") }) : null;
    if (field.kind === "choice") {
      const choices = (field.choices || []).length ? field.choices : current.choices;
      return make("fieldset", { role: "radiogroup", "aria-label": field.title || choices[0]?.title }, title, ...choices.map((c) => button(field, c.value, c.title, c.key || "", c.meaning || "")));
    }
    if (field.kind === "option" && current.options.length) {
      return make("fieldset", { role: "radiogroup", "aria-label": field.title, class: current.options.length > 9 ? "columns" : false }, title, ...current.options.map((o, k) => button(field, o.value, o.text, k < 9 ? String(k + 1) : "", "")));
    }
    if (field.kind === "boxes") return marks(field, title);
    const value = given[field.name];
    const node = area(field, value, (text) => { given[field.name] = field.kind === "lines" ? text.split("\n").filter((t) => t.trim()) : text; });
    node.value = Array.isArray(value) ? value.join("\n") : value || "";
    node.setAttribute("aria-label", field.title);
    if (field.kind === "text" && field.rows === 1 && current.offered.length) node.setAttribute("list", "offered-words");
    return make("fieldset", {}, title, node);
  };
  const svg = (tag, attributes) => { const node = document.createElementNS("http://www.w3.org/2000/svg", tag); for (const [k, v] of Object.entries(attributes)) node.setAttribute(k, v); return node; };
  const marks = (field, title) => {
    given[field.name] ||= [];
    const list = make("ul", { class: "marks" });
    const draw = (extra = null) => {
      for (const view of shownPane.querySelectorAll(".view[data-picture]")) {
        view.querySelector(".drawn")?.remove();
        const picture = Number(view.dataset.picture);
        const layer = svg("svg", { class: "boxes drawn", viewBox: "0 0 1 1", preserveAspectRatio: "none" });
        for (const mark of [...given[field.name], ...(extra ? [extra] : [])].filter((m) => m.picture === picture)) {
          const [x0, y0, x1, y1] = mark.box;
          layer.append(svg("rect", { class: mark.seen ? "seen" : "", x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.max(0.004, Math.abs(x1 - x0)), height: Math.max(0.004, Math.abs(y1 - y0)) }));
        }
        layer.style.transform = view.firstElementChild.style.transform;
        
        view.append(layer);
      }
      list.replaceChildren(...given[field.name].map((mark, k) => {
        const name = make("input", { type: "text", "aria-label": `Name of mark ${k + 1}`, placeholder: "what it is", oninput: (event) => { mark.label = event.target.value; } });
        name.value = mark.label || "";
        return make("li", {}, name, make("button", { type: "button", class: "ghost", onclick: () => { given[field.name].splice(k, 1); draw(); } }, "Remove"));
      }));
    };
    const show = (mark) => draw(mark && { ...mark, seen: true });
    const known = (current.offered || []).map((mark) => make("button", {
      type: "button", class: "ghost", text: mark.label, onmouseenter: () => show(mark), onmouseleave: () => show(null), onfocus: () => show(mark), onblur: () => show(null),
      onclick: () => { given[field.name].push({ picture: mark.picture, box: mark.box, label: mark.label }); draw(); },
    }));
    const offer = known.length ? make("div", { class: "offered" }, make("span", { class: "quiet", text: "Known of this picture:" }), ...known,
      make("datalist", { id: "offered-words" }, ...[...new Set(current.offered.map((m) => m.label))].map((label) => make("option", { value: `the ${label}` })))) : null;
    const toggle = make("button", { type: "button", class: "ghost", "aria-pressed": "false", onclick: () => {
      marking = marking ? null : { draft: (picture, box) => draw({ picture, box }), add: (picture, box) => { given[field.name].push({ picture, box: box.map((v) => Math.round(v * 1e5) / 1e5), label: "" }); draw(); } };
      toggle.setAttribute("aria-pressed", String(!!marking));
      for (const view of shownPane.querySelectorAll(".view")) view.classList.toggle("marking", !!marking);
    } }, "Draw on the picture");
    queueMicrotask(draw);
    return make("fieldset", {}, title, offer, toggle, list);
  };

  const ask = () => {
    keys = new Map();
    const stage = stageOf(current);
    const active = document.activeElement?.id;
    const facts = (rows, kind) => rows.length ? make("dl", { class: kind }, ...rows.flatMap(([k, v]) => [make("dt", { text: k }), make("dd", { text: v })])) : null;
    askedPane.replaceChildren(
      make("p", { class: "where", text: [current.title, setup.stages.length > 1 ? stage.title : ""].filter(Boolean).join(" · ") }),
      ...(current.text ? [make("p", { class: "question", text: current.text })] : []),
      ...[facts(current.facts, "facts"), facts(current.revealed, "facts revealed")].filter(Boolean),
      // What a later stage asks about is still to be read.
      ...(setup.stages.length > 1 && stage !== setup.stages[0] && current.options.length ? [make("ol", { type: "A" }, ...current.options.map((o) => make("li", { text: o.text })))] : []),
      ...stage.fields.filter(isAsked).map(control),
      make("p", { class: "problem", role: "alert", id: "problem" }),
      make("div", { class: "send" }, make("button", { type: "button", class: "go", id: "send", onclick: send }, "Next", make("kbd", { text: "Enter", "aria-hidden": "true" }))),
    );
    if (active && document.getElementById(active)) document.getElementById(active).focus();
  };

  let busy = false;
  const send = async () => {
    if (!current || busy) return;
    const stage = stageOf(current);
    const asked = stage.fields.filter(isAsked);
    const missing = asked.find((f) => f.needed !== false && (given[f.name] === undefined || given[f.name] === "" || given[f.name].length === 0));
    if (missing) { document.getElementById("problem").textContent = `${missing.title}: fill this in.`; document.getElementById(`field-${missing.name}`)?.focus(); return; }
    if (!asked.some((f) => given[f.name] !== undefined && given[f.name] !== "" && given[f.name].length !== 0)) { document.getElementById("problem").textContent = "Choose an answer."; return; }
    const values = Object.fromEntries(asked.filter((f) => given[f.name] !== undefined && given[f.name] !== "").map((f) => [f.name, given[f.name]]));
    const item = current;
    const entry = { item: item.id, stage: stage.name, values, client: unique(), seconds: Math.round(performance.now() - begun) / 1000 };
    waiting.add(entry);
    if (stage !== lastStage) {
      busy = true;
      const found = await flush();
      busy = false;
      if (found?.refused) { document.getElementById("problem").textContent = found.refused; return; }
      if (!found) { document.getElementById("problem").textContent = "There is no connection; this is sent when there is one."; waitFor(item); return; }
      current = found.reply.item;
      show();
      return;
    }
    left.add(item.id);
    advance();
    const found = await flush();
    if (found?.refused && found.entry.client === entry.client) {
      left.delete(item.id);
      leaveSheet();
      if (current && current.id !== item.id) queue.unshift(current);
      current = item;
      show();
      given = { ...values };
      ask();
      document.getElementById("problem").textContent = found.refused;
    }
  };
  const waitFor = async (item) => {
    while (current === item && waiting.all().length) await new Promise((after) => setTimeout(after, 500));
    if (current !== item) return;
    const found = await (await fetch(`/api/item/${item.id}`)).json().catch(() => null);
    if (found && found.id) { current = found; show(); }
  };

  // --- undo, history, keys --------------------------------------------------------------------------------
  const undo = async () => {
    if (busy) return;
    await flush();
    try {
      const found = await post("/api/undo", { client: unique() });
      hear(found);
      if (!found.item) return;
      leaveSheet();
      left.delete(found.item.id);
      if (current && current.id !== found.item.id) queue.unshift(current);
      current = found.item;
      show();
    } catch (error) { document.getElementById("sending").textContent = error.message; }
  };
  // What the server tells follows from what it was told: an answer that is on its way arrives first.
  const open = (button, panel, fill) => button.addEventListener("click", async () => {
    const opened = panel.hidden;
    if (opened) {
      await Promise.all([flush(), advancing]);
      await fill();
    }
    panel.hidden = !opened;
    button.setAttribute("aria-expanded", String(opened));
  });
  const guidelines = document.getElementById("guidelines");
  guidelines.append(make("ul", {}, ...setup.guidelines.map((text) => make("li", { text }))));
  open(document.getElementById("guide"), guidelines, async () => {});
  const past = document.getElementById("history");
  open(document.getElementById("past"), past, async () => {
    const rows = await (await fetch("/api/history")).json().catch(() => []);
    past.replaceChildren(make("ul", {}, ...rows.map((row) => make("li", {}, make("button", { type: "button", class: row.undone ? "undone" : "", text: `${row.name}: ${row.said}`, onclick: async () => {
      const found = await (await fetch(`/api/item/${row.item}`)).json();
      leaveSheet();
      if (current && current.id !== found.id) queue.unshift(current);
      current = { ...found, stage: row.stage };
      past.hidden = true;
      document.getElementById("past").setAttribute("aria-expanded", "false");
      show();
    } })))));
    if (!rows.length) past.replaceChildren(make("p", { text: "Nothing yet." }));
  });
  const wants = document.getElementById("wanted");
  if (wants) open(document.getElementById("want"), wants, async () => {
    const lines = current ? await (await fetch(`/api/wanted/${current.id}`)).json().catch(() => []) : [];
    wants.replaceChildren(
      make("p", { text: lines.length ? "Asked about other pictures. The same about this one is welcome where its answer is another:" : "No question in this form wants a partner now." }),
      make("ul", {}, ...lines.map((text) => make("li", { text }))));
  });
  document.getElementById("back").addEventListener("click", undo);
  document.addEventListener("keydown", (event) => {
    const typing = /^(TEXTAREA|INPUT)$/.test(event.target.tagName) && event.target.type !== "range";
    if (event.key === "Enter" && sheet && !typing && (event.target.tagName !== "BUTTON" || event.target.className.startsWith("tile"))) { event.preventDefault(); lookClosely(sheet.at); return; }
    if (event.key === "Enter" && current && (!typing || event.ctrlKey || event.metaKey || event.target.tagName === "INPUT") && event.target.tagName !== "BUTTON") { event.preventDefault(); send(); return; }
    if (event.key === "Escape" && typing) { event.target.blur(); work.focus(); return; }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (sheet && event.key.startsWith("Arrow")) {
      event.preventDefault();
      const row = getComputedStyle(shownPane.querySelector(".sheet")).gridTemplateColumns.split(" ").length;
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[event.key];
      frame(Math.min(sheet.items.length - 1, Math.max(0, sheet.at + by)));
      return;
    }
    if (event.target.type === "range" && event.key.startsWith("Arrow")) return;
    const key = event.key.toLowerCase();
    if (keys.has(key)) { event.preventDefault(); keys.get(key)(); }
    else if (key === "z") undo();
    else if (key === "?") document.getElementById("guide").click();
    else if (key === " " && clipPlayer && event.target.tagName !== "BUTTON") { event.preventDefault(); clipPlayer.toggle(); }
    else if (key === "arrowleft" && clipPlayer) clipPlayer.step(-1);
    else if (key === "arrowright" && clipPlayer) clipPlayer.step(1);
  });

  // What an earlier page could not send goes first.
  flush().then(() => {
    for (const entry of waiting.all()) left.add(entry.item);
    advance();
  });
})();
