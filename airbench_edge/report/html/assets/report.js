// The items of a run: what was asked and said, and how letters and verdicts were read.
(() => {
  const { texts, items, letters, judges } = JSON.parse($("data").textContent);
  const foundation = items.choices.length; // items from here on are chat items
  const RESULTS = { r: "right", w: "wrong", u: "undecided or unread", n: "without a response or verdict", s: "scored" };
  const SHORT = { ...RESULTS, u: "undecided", n: "no response" }; // of a foundation item
  const SIGNS = { r: "✓", w: "✗", u: "?", n: "–" };

  let choice = {}; // what the filters say

  // --- the data -----------------------------------------------------------------------------------------------------

  const isChat = (item) => item >= foundation;
  const trackOf = (item) => (isChat(item) ? "chat" : "foundation");
  const text = (number) => (number === null || number === undefined ? null : texts[number]);

  function resultOf(item, rules) {
    if (!isChat(item)) return letters[choice.letters][rules].results[item];
    return judges.length ? judges[choice.judge].results[rules][item - foundation] : "n";
  }

  function scoreOf(item, rules) {
    return isChat(item) && judges.length ? judges[choice.judge].scores[rules][item - foundation] : null;
  }

  const spreadOf = (item) => (isChat(item) ? items.spread[item - foundation] : null);

  function searched(item) {
    const options = isChat(item) ? [items.reference[item - foundation], items.meta[item - foundation]] : items.choices[item];
    const parts = [items.label, items.dataset, items.path, items.question, items.response].map((column) => column[item]);
    return [items.id[item], ...parts.concat(options).map(text)];
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
    return !(spread && !((spreadOf(item) ?? -1) >= Number(spread)));
  }

  // Without a result comes first, then undecided, wrong, scores from low to high, right.
  const rank = (item, rules) => scoreOf(item, rules) ?? { n: -2, u: -1, w: 0, r: 11 }[resultOf(item, rules)];

  function summary(shown) {
    const counts = { r: 0, w: 0, u: 0, n: 0, s: 0 };
    let sum = 0;
    for (const item of shown) {
      counts[resultOf(item, "strict")]++;
      sum += scoreOf(item, "strict") ?? 0;
    }
    const parts = ["r", "w", "u", "n"].filter((result) => counts[result]).map((result) => `${count(counts[result])} ${RESULTS[result]}`);
    if (counts.s) parts.push(`${count(counts.s)} scored, mean ${(sum / counts.s).toFixed(2)}`);
    return parts.length ? `under strict: ${parts.join(", ")}` : "";
  }

  // --- the table ----------------------------------------------------------------------------------------------------

  function cells(item) {
    const response = text(items.response[item]);
    const made = [
      make("td", "c-id", visible(items.id[item])),
      make("td", "c-label", bdi(texts[items.label[item]]), " ", make("small", "", visible(texts[items.dataset[item]]))),
      make("td", "c-question", bdi(texts[items.question[item]].slice(0, 200))),
      response === null
        ? make("td", "c-response none", words(texts[items.state[item]]))
        : make("td", "c-response", bdi(response.slice(0, 200) || "(empty)")),
      resultCell(item, "official"),
      resultCell(item, "strict"),
    ];
    if (judges.length) made.push(make("td", "c-spread", spreadOf(item) === null ? "" : String(spreadOf(item))));
    return made;
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

  // --- the details --------------------------------------------------------------------------------------------------

  function details(item) {
    const source = note(`${trackOf(item)} · ${visible(texts[items.dataset[item]])} · ${visible(texts[items.path[item]])}`);
    return [source, ...player(item), ...question(item), ...response(item), ...(isChat(item) ? verdictParts(item) : [letterPart(item)])];
  }

  function player(item) {
    const place = items.clip[item];
    if (!place) return [];
    const audio = make("audio", "");
    audio.controls = true;
    audio.preload = "none";
    audio.addEventListener("error", () => audio.replaceWith(note("The clip is not there, or of a kind that this browser does not play: a page made with --audio embed plays them all.")));
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
    const readBy = (letter) => ["official", "strict"].filter((rules) => letters[choice.letters][rules].letters[item] === letter);
    return [asked, optionList(items.choices[item].map(text), items.right[item], (letter) => readBy(letter).map((rules) => `read by ${rules}`))];
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

  itemTable({
    total: items.id.length,
    choose: (given) => { choice = { ...given, letters: Number(given.letters ?? 0), judge: Number(given.judge ?? 0) }; },
    passes,
    texts: searched,
    falling: ["spread"],
    keys: {
      id: (item) => item,
      label: (item) => texts[items.label[item]] + "\n" + texts[items.dataset[item]],
      question: (item) => texts[items.question[item]],
      response: (item) => text(items.response[item]) ?? "",
      official: (item) => rank(item, "official"),
      strict: (item) => rank(item, "strict"),
      spread: (item) => spreadOf(item) ?? -1,
    },
    summary,
    cells,
    title: (item) => [texts[items.label[item]], items.id[item]],
    details,
    address: (item) => `${trackOf(item)}/${encodeURIComponent(items.id[item])}`,
  });
})();
