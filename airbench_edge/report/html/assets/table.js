"use strict";
// What every page with a table of items shares: filters, order, the rows in sight, and the details of one item.
// Every text is data: it enters the page as text, never as markup.

const $ = (id) => document.getElementById(id);
const words = (name) => name.replaceAll("_", " ");
const count = (number) => number.toLocaleString("en");

// Control characters and overrides of the writing direction are shown by their codes, line breaks are kept.
const visible = (string) =>
  string.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (sign) =>
    sign === "\t" ? sign : "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));

function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children);
  return element;
}

function button(sign, label, act) {
  const made = make("button", "", sign);
  made.type = "button";
  made.title = label;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

const bdi = (string) => make("bdi", "", visible(string));
const quoted = (string) => make("pre", "", make("bdi", "", visible(string) || "(empty)"));
const part = (title, ...children) => make("section", "", make("h3", "", title), ...children);
const note = (string) => make("p", "note", string);

function grid(heads, lines) {
  const head = make("tr", "", ...heads.map((name) => make("th", "", name)));
  const rows = lines.map((cells) => make("tr", "", ...cells.map((cell) => (cell instanceof Node && cell.nodeName === "TD" ? cell : make("td", "", cell)))));
  return make("div", "wide-table", make("table", "readings", make("thead", "", head), make("tbody", "", ...rows)));
}

// Options of a question as a list; tagsOf gives the words beside the option of a letter.
function optionList(choices, right, tagsOf) {
  const list = make("ul", "options");
  choices.forEach((choice, at) => {
    if (choice === null) return;
    const letter = "ABCD"[at], isRight = right.includes(letter);
    const line = make("li", isRight ? "right" : "", make("b", "", letter), bdi(choice));
    if (isRight) line.append(make("span", "tag good", "✓ right"));
    line.append(...tagsOf(letter).map((tag) => make("span", "tag", tag)));
    list.append(line);
  });
  return part("Options", list);
}

// page: total; choose(values of the filters); passes(item); texts(item) to search in; keys to sort by, with `falling`,
// those that begin with the largest; summary(items); cells(item); title(item); details(item); address(item).
function itemTable(page) {
  const form = $("filters"), table = $("table"), scroller = $("scroller"), detail = $("detail"), body = table.tBodies[0];
  const AHEAD = 12; // rows drawn beyond both edges

  let shown = []; // numbers of the items that pass the filters, in the order of the table
  let cursor = 0; // place in `shown`
  let order = { key: "", down: false };

  // --- filters and order --------------------------------------------------------------------------------------------

  let haystack = null;
  function search(item) {
    haystack ??= Array.from({ length: page.total }, (_, at) => page.texts(at).join("\n").toLowerCase());
    return haystack[item];
  }

  function refresh() {
    const given = Object.fromEntries(new FormData(form));
    const sought = (given.search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    page.choose(given);
    shown = [];
    for (let item = 0; item < page.total; item++) {
      if (page.passes(item) && sought.every((word) => search(item).includes(word))) shown.push(item);
    }
    if (order.key) {
      const keys = new Map(shown.map((item) => [item, page.keys[order.key](item)]));
      const sign = order.down ? -1 : 1;
      shown.sort((a, b) => {
        const [x, y] = [keys.get(a), keys.get(b)];
        return x < y ? -sign : x > y ? sign : a - b;
      });
    }
    cursor = 0;
    scroller.scrollTop = 0;
    const parts = page.summary(shown);
    $("count").replaceChildren(make("strong", "", `${count(shown.length)} of ${count(page.total)} items`), parts ? `  ${parts}` : "");
    draw(true);
  }

  // --- the table ----------------------------------------------------------------------------------------------------

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
    const line = make("tr", place === cursor ? "current" : "", ...page.cells(shown[place]));
    line.id = `row-${place}`;
    line.dataset.place = place;
    line.setAttribute("aria-rowindex", place + 2);
    return line;
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

  function open(place) {
    move(place);
    const item = shown[cursor];
    if (item === undefined) return;
    const close = button("✕", "Close", () => detail.close());
    const bar = make("div", "bar-of-buttons",
      button("←", "Previous item", () => open(cursor - 1)), button("→", "Next item", () => open(cursor + 1)),
      make("span", "", `${count(cursor + 1)} of ${count(shown.length)}`), close);
    const [label, id] = page.title(item);
    const title = make("h2", "", visible(label), " ", make("small", "", visible(id)));
    title.id = "detail-title";
    detail.replaceChildren(bar, title, ...page.details(item));
    if (!detail.open) detail.showModal();
    detail.scrollTop = 0;
    location.replace(`#${page.address(item)}`);
  }

  // --- what a person does -------------------------------------------------------------------------------------------

  function follow() {
    const [first, ...rest] = location.hash.slice(1).split("/");
    if (!rest.length || detail.open) return;
    const wanted = rest.map(decodeURIComponent).join("/");
    if (first === "task") {
      form.reset();
      form.elements.task.value = wanted;
      refresh();
      $("items").scrollIntoView();
      return;
    }
    const place = shown.findIndex((item) => decodeURIComponent(page.address(item)) === `${first}/${wanted}`);
    if (place >= 0) open(place);
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
    const rows = Math.max(1, Math.floor(scroller.clientHeight / rowHeight()) - 2);
    const steps = { ArrowDown: cursor + 1, ArrowUp: cursor - 1, PageDown: cursor + rows, PageUp: cursor - rows, Home: 0, End: shown.length - 1 };
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
      const { sort: key } = head.dataset, falls = page.falling.includes(key);
      order = order.key !== key ? { key, down: falls } : order.down !== falls ? { key: "", down: false } : { key, down: !order.down };
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
  (window.requestIdleCallback ?? setTimeout)(() => page.total && search(0)); // ready before the first word is typed
}
