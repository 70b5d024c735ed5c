"use strict";
// The table of items and their details. Every text is data: it enters the page as text, never as markup.
(() => {
  const $ = (id) => document.getElementById(id);
  const { texts, items, letters, judges } = JSON.parse($("data").textContent);
  const total = items.id.length;
  const foundation = items.choices.length; // items from here on are chat items
  const form = $("filters"), table = $("table"), scroller = $("scroller"), detail = $("detail"), body = table.tBodies[0];
  const RESULTS = { r: "right", w: "wrong", u: "undecided or unread", n: "without a response or verdict", s: "scored" };
  const SHORT = { ...RESULTS, u: "undecided", n: "no response" }; // of a foundation item
  const SIGNS = { r: "✓", w: "✗", u: "?", n: "–" };
  const AHEAD = 12; // rows drawn beyond both edges

  let shown = []; // numbers of the items that pass the filters, in the order of the table
  let cursor = 0; // place in `shown`
  let order = { key: "", down: false };
  let choice = {}; // what the filters say

  // --- the data -----------------------------------------------------------------------------------------------------

  const isChat = (item) => item >= foundation;
  const trackOf = (item) => (isChat(item) ? "chat" : "foundation");
  const text = (number) => (number === null || number === undefined ? null : texts[number]);
  const words = (name) => name.replaceAll("_", " ");

  // Control characters and overrides of the writing direction are shown by their codes, line breaks are kept.
  const visible = (string) =>
    string.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (sign) =>
      sign === "\t" ? sign : "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));

  function resultOf(item, rules) {
    if (!isChat(item)) return letters[choice.letters][rules].results[item];
    return judges.length ? judges[choice.judge].results[rules][item - foundation] : "n";
  }

  function scoreOf(item, rules) {
    return isChat(item) && judges.length ? judges[choice.judge].scores[rules][item - foundation] : null;
  }

  const spreadOf = (item) => (isChat(item) ? items.spread[item - foundation] : null);

  let haystack = null;
  function search(item) {
    haystack ??= Array.from({ length: total }, (_, at) => {
      const options = isChat(at) ? [items.reference[at - foundation], items.meta[at - foundation]] : items.choices[at];
      const parts = [items.label, items.dataset, items.path, items.question, items.response].map((column) => column[at]);
      return [items.id[at], ...parts.concat(options).map(text)].join("\n").toLowerCase();
    });
    return haystack[item];
  }

  // --- filters and order --------------------------------------------------------------------------------------------

  function readChoice() {
    const given = Object.fromEntries(new FormData(form));
    choice = { ...given, letters: Number(given.letters ?? 0), judge: Number(given.judge ?? 0) };
    choice.words = (given.search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  }

  function passes(item) {
    const { track, task, state, official, strict, differ, least, most, spread } = choice;
    if (track && track !== trackOf(item)) return false;
    if (task && task !== `${trackOf(item)}/${texts[items.task[item]]}`) return false;
    if (state && state !== texts[items.state[item]]) return false;
    if (official && official !== resultOf(item, "official")) return false;
    if (strict && strict !== resultOf(item, "strict")) return false;
    if (differ && resultOf(item, "official") === resultOf(item, "strict")
      && scoreOf(item, "official") === scoreOf(item, "strict")) return false;
    const score = scoreOf(item, "strict");
    if (least && !(score !== null && score >= Number(least))) return false;
    if (most && !(score !== null && score <= Number(most))) return false;
    if (spread && !((spreadOf(item) ?? -1) >= Number(spread))) return false;
    return choice.words.every((word) => search(item).includes(word));
  }

  // Without a result comes first, then undecided, wrong, scores from low to high, right.
  const rank = (item, rules) => scoreOf(item, rules) ?? { n: -2, u: -1, w: 0, r: 11 }[resultOf(item, rules)];
  const KEYS = {
    id: (item) => item,
    label: (item) => texts[items.label[item]] + "\n" + texts[items.dataset[item]],
    question: (item) => texts[items.question[item]],
    response: (item) => text(items.response[item]) ?? "",
    official: (item) => rank(item, "official"),
    strict: (item) => rank(item, "strict"),
    spread: (item) => spreadOf(item) ?? -1,
  };

  function refresh() {
    readChoice();
    shown = [];
    for (let item = 0; item < total; item++) if (passes(item)) shown.push(item);
    if (order.key) {
      const keys = new Map(shown.map((item) => [item, KEYS[order.key](item)]));
      const sign = order.down ? -1 : 1;
      shown.sort((a, b) => {
        const [x, y] = [keys.get(a), keys.get(b)];
        return x < y ? -sign : x > y ? sign : a - b;
      });
    }
    cursor = 0;
    scroller.scrollTop = 0;
    $("count").replaceChildren(...summary());
    draw(true);
  }

  function summary() {
    const counts = { r: 0, w: 0, u: 0, n: 0, s: 0 };
    let sum = 0;
    for (const item of shown) {
      counts[resultOf(item, "strict")]++;
      sum += scoreOf(item, "strict") ?? 0;
    }
    const parts = ["r", "w", "u", "n"].filter((result) => counts[result]).map((result) => `${counts[result].toLocaleString("en")} ${RESULTS[result]}`);
    if (counts.s) parts.push(`${counts.s.toLocaleString("en")} scored, mean ${(sum / counts.s).toFixed(2)}`);
    const head = `${shown.length.toLocaleString("en")} of ${total.toLocaleString("en")} items`;
    return [make("strong", "", head), parts.length ? `  under strict: ${parts.join(", ")}` : ""];
  }

  // --- the table ----------------------------------------------------------------------------------------------------

  function make(tag, name, ...children) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children);
    return element;
  }

  const rowHeight = () => parseFloat(getComputedStyle(table).getPropertyValue("--row"));

  let drawn = "";
  function draw(anew) {
    const height = rowHeight();
    const first = Math.max(0, Math.floor(scroller.scrollTop / height) - AHEAD);
    const last = Math.min(shown.length, Math.ceil((scroller.scrollTop + scroller.clientHeight) / height) + AHEAD);
    const key = `${first} ${last} ${cursor} ${height}`;
    if (!anew && key === drawn) return;
    drawn = key;
    const rows = [];
    for (let place = first; place < last; place++) rows.push(row(place));
    body.replaceChildren(gap(first * height), ...rows, gap((shown.length - last) * height));
    table.setAttribute("aria-rowcount", shown.length + 1);
    if (shown.length) table.setAttribute("aria-activedescendant", `row-${cursor}`);
    else table.removeAttribute("aria-activedescendant");
  }

  function gap(height) {
    const filler = make("tr", "gap");
    filler.setAttribute("aria-hidden", "true");
    filler.style.height = `${height}px`;
    return filler;
  }

  function row(place) {
    const item = shown[place];
    const line = make("tr", place === cursor ? "current" : "");
    line.id = `row-${place}`;
    line.dataset.place = place;
    line.setAttribute("aria-rowindex", place + 2);
    const response = text(items.response[item]);
    line.append(
      make("td", "c-id", visible(items.id[item])),
      make("td", "c-label", make("bdi", "", visible(texts[items.label[item]])), " ", make("small", "", visible(texts[items.dataset[item]]))),
      make("td", "c-question", make("bdi", "", visible(texts[items.question[item]].slice(0, 200)))),
      response === null
        ? make("td", "c-response none", words(texts[items.state[item]]))
        : make("td", "c-response", make("bdi", "", visible(response.slice(0, 200)) || "(empty)")),
      resultCell(item, "official"),
      resultCell(item, "strict"),
    );
    if (judges.length) line.append(make("td", "c-spread", spreadOf(item) === null ? "" : String(spreadOf(item))));
    return line;
  }

  function resultCell(item, rules) {
    const result = resultOf(item, rules);
    const cell = make("td", `c-${rules} ${result}`);
    if (result === "s") cell.append(scoreOf(item, rules).toFixed(1));
    else if (isChat(item)) cell.append(result === "u" ? "unread" : "–");
    else {
      const letter = letters[choice.letters][rules].letters[item];
      cell.append(letter === "-" ? "" : `${letter} `, make("span", "", SIGNS[result]));
    }
    cell.title = RESULTS[result];
    return cell;
  }

  function move(to) {
    if (!shown.length) return;
    cursor = Math.min(Math.max(to, 0), shown.length - 1);
    const height = rowHeight(), top = cursor * height, head = table.tHead.offsetHeight;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    if (top + height + head > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + height + head - scroller.clientHeight;
    draw(true);
  }

  // --- the details --------------------------------------------------------------------------------------------------

  const quoted = (string) => make("pre", "", make("bdi", "", visible(string) || "(empty)"));
  const part = (title, ...children) => make("section", "", make("h3", "", title), ...children);
  const note = (string) => make("p", "note", string);

  function grid(heads, lines) {
    const head = make("tr", "", ...heads.map((name) => make("th", "", name)));
    const rows = lines.map((cells) => make("tr", "", ...cells.map((cell) => (cell instanceof Node && cell.nodeName === "TD" ? cell : make("td", "", cell)))));
    return make("div", "wide-table", make("table", "readings", make("thead", "", head), make("tbody", "", ...rows)));
  }

  function open(place) {
    move(place);
    const item = shown[cursor];
    if (item === undefined) return;
    const close = button("✕", "Close", () => detail.close());
    const bar = make("div", "bar-of-buttons",
      button("←", "Previous item", () => open(cursor - 1)), button("→", "Next item", () => open(cursor + 1)),
      make("span", "", `${(cursor + 1).toLocaleString("en")} of ${shown.length.toLocaleString("en")}`), close);
    const title = make("h2", "", visible(texts[items.label[item]]), " ", make("small", "", visible(items.id[item])));
    title.id = "detail-title";
    const source = make("p", "note", `${trackOf(item)} · ${visible(texts[items.dataset[item]])} · ${visible(texts[items.path[item]])}`);
    detail.replaceChildren(bar, title, source, ...player(item), ...question(item), ...response(item), ...(isChat(item) ? verdictParts(item) : [letterPart(item)]));
    if (!detail.open) detail.showModal();
    detail.scrollTop = 0;
    location.replace(`#${trackOf(item)}/${encodeURIComponent(items.id[item])}`);
  }

  function button(sign, label, act) {
    const made = make("button", "", sign);
    made.type = "button";
    made.title = label;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  }

  function player(item) {
    const place = items.clip[item];
    if (!place) return [];
    const audio = make("audio", "");
    audio.controls = true;
    audio.preload = "none";
    audio.addEventListener("error", () => audio.replaceWith(note("The clip is not there, or of a kind that this browser does not play.")));
    const inside = place.startsWith("#") ? $(place.slice(1)) : null;
    if (place.startsWith("#") && !inside) return []; // it could not be decoded
    audio.src = inside ? `data:${inside.dataset.type};base64,${inside.textContent}` : place;
    return [audio];
  }

  function question(item) {
    const asked = part("Question", quoted(texts[items.question[item]]));
    if (isChat(item)) {
      const at = item - foundation;
      return [asked, part("Reference answer", quoted(texts[items.reference[at]])), part("Description for the judge", quoted(texts[items.meta[at]]))];
    }
    const list = make("ul", "options");
    items.choices[item].forEach((choiceText, at) => {
      if (choiceText === null) return;
      const letter = "ABCD"[at], right = items.right[item].includes(letter);
      const tags = ["official", "strict"].filter((rules) => letters[choice.letters][rules].letters[item] === letter);
      const line = make("li", right ? "right" : "", make("b", "", letter), make("bdi", "", visible(texts[choiceText])));
      if (right) line.append(make("span", "tag good", "✓ right"));
      line.append(...tags.map((rules) => make("span", "tag", `read by ${rules}`)));
      list.append(line);
    });
    return [asked, part("Options", list)];
  }

  function response(item) {
    const given = text(items.response[item]), state = words(texts[items.state[item]]);
    const notes = [];
    if (items.finish[item] !== null && texts[items.finish[item]] === "length") notes.push("cut by the limit on new tokens");
    const [length, heard] = [items.duration[item], items.heard[item]];
    if (length !== null) notes.push(`clip of ${length.toFixed(1)} s` + (heard === null ? "" : `, ${heard.toFixed(1)} s heard`));
    for (const warning of items.warnings[item] ?? []) notes.push(texts[warning]);
    const extra = notes.length ? [note(visible(notes.join(" · ")))] : [];
    if (given !== null) return [part("Response", quoted(given), ...extra)];
    const reason = text(items.reason[item]);
    return [part("Response", make("p", "notice", make("strong", "", `No response: ${state}. `), reason === null ? "" : visible(reason)), ...extra)];
  }

  function letterPart(item) {
    const lines = [];
    for (const source of letters) {
      const name = source.name ? `aligner ${visible(source.name)}` : "the response";
      for (const rules of ["official", "strict"]) {
        const column = source[rules], result = column.results[item];
        lines.push([name, rules, column.letters[item], words(texts[column.how[item]]), make("td", result, SHORT[result])]);
      }
    }
    const replies = letters.filter((source) => source.name && (item in source.replies || item in source.failures)).map((source) =>
      make("div", "", note(`Reply of ${visible(source.name)}`), quoted(text(source.replies[item]) ?? `failed: ${words(text(source.failures[item]))}`)));
    return part("Letters", grid(["Read in", "Rules", "Letter", "How", "Result"], lines), ...replies);
  }

  function verdictParts(item) {
    const at = item - foundation;
    if (!judges.length) return [part("Verdicts", note("No judge has seen the chat responses of this run."))];
    return judges.map((judge) => {
      const title = `Verdicts of ${visible(judge.name)}`;
      if (judge.planned[at] === "0") return part(title, note("This judge was asked about a sample only, without this item."));
      const orders = [["reference first", judge.reference_first[at]], ["model first", judge.model_first[at]]];
      const found = orders.filter(([, cell]) => cell);
      if (!found.length) return part(title, note("Not judged yet, or nothing to judge."));
      const expected = found.some(([, cell]) => cell[7]);
      const lines = found.flatMap(([name, cell]) => ["official", "strict"].map((rules, index) => {
        const [scores, why] = index ? [cell[5], cell[6]] : [cell[3], cell[4]];
        const pair = scores ? scores.map(String) : [make("td", "u", `unread: ${words(texts[why])}`), ""];
        return [name, rules, ...pair, ...(expected ? [cell[7] ? cell[7].map((value) => value.toFixed(2)).join(" / ") : ""] : [])];
      }));
      const heads = ["Order", "Rules", "Model", "Reference", ...(expected ? ["Expected"] : [])];
      const raw = found.map(([name, cell]) => make("div", "", note(`Reply, ${name}` + (texts[cell[1]] === "length" ? ", cut by its limit" : "")),
        quoted(cell[0] === null ? `failed: ${words(texts[cell[2]])}` : texts[cell[0]])));
      return part(title, grid(heads, lines), ...raw);
    });
  }

  // --- what a person does -------------------------------------------------------------------------------------------

  function follow() {
    const [track, ...rest] = location.hash.slice(1).split("/");
    if (track === "task" && rest.length === 2) {
      form.reset();
      form.elements.task.value = rest.map(decodeURIComponent).join("/");
      refresh();
      $("items").scrollIntoView();
    } else if (rest.length === 1 && (track === "foundation" || track === "chat") && !detail.open) {
      const wanted = decodeURIComponent(rest[0]);
      const place = shown.findIndex((item) => trackOf(item) === track && items.id[item] === wanted);
      if (place >= 0) open(place);
    }
  }

  let frame = 0;
  const redraw = () => { frame ||= requestAnimationFrame(() => { frame = 0; draw(false); }); };
  scroller.addEventListener("scroll", redraw, { passive: true });
  addEventListener("resize", redraw);
  addEventListener("hashchange", follow);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", refresh);
  form.addEventListener("reset", () => setTimeout(refresh));
  body.addEventListener("click", (event) => {
    const line = event.target.closest("tr[data-place]");
    if (line) open(Number(line.dataset.place));
  });
  detail.addEventListener("click", (event) => { if (event.target === detail) detail.close(); });
  detail.addEventListener("close", () => { detail.querySelector("audio")?.pause(); location.replace("#browse"); table.focus({ preventScroll: true }); });

  table.addEventListener("keydown", (event) => {
    if (event.target !== table) return;
    const page = Math.max(1, Math.floor(scroller.clientHeight / rowHeight()) - 2);
    const steps = { ArrowDown: cursor + 1, ArrowUp: cursor - 1, PageDown: cursor + page, PageUp: cursor - page, Home: 0, End: shown.length - 1 };
    if (event.key in steps) move(steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") open(cursor);
    else return;
    event.preventDefault();
  });
  detail.addEventListener("keydown", (event) => {
    if (event.target.closest("audio, pre")) return;
    if (event.key === "ArrowLeft") open(cursor - 1);
    if (event.key === "ArrowRight") open(cursor + 1);
  });
  for (const head of table.tHead.querySelectorAll("button")) {
    head.addEventListener("click", () => {
      const { sort: key } = head.dataset;
      order = order.key !== key ? { key, down: key === "spread" } : order.down !== (key === "spread") ? { key: "", down: false } : { key, down: !order.down };
      for (const cell of table.tHead.rows[0].cells) {
        if (order.key && cell.firstElementChild.dataset.sort === order.key) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
        else cell.removeAttribute("aria-sort");
      }
      refresh();
    });
  }

  for (const element of [form, scroller, $("count")]) element.hidden = false;
  refresh();
  follow();
  (window.requestIdleCallback ?? setTimeout)(() => total && search(0)); // ready before the first word is typed
})();
