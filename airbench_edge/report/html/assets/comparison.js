// The items that came out otherwise: what was asked, and what both runs made of it.
(() => {
  const { texts, sections, items } = JSON.parse($("data").textContent);
  const text = (number) => (number === null ? null : texts[number]);
  const at = (column) => (item) => texts[items[column][item]];
  const sectionOf = (item) => sections[items.section[item]];
  const changeOf = (item) => items.second[item] - items.first[item];
  const isChat = (item) => items.choices[item] === null;
  const several = new Set(sections.map((section) => section.second[0])).size > 1;
  const SIGNS = { right: "✓", wrong: "✗", undecided: "?" };
  const TONES = { right: "r", wrong: "w", undecided: "u" };

  let choice = {}; // what the filters say

  function passes(item) {
    const { section, task, change, first, second } = choice;
    if (section && Number(section) !== items.section[item]) return false;
    if (task && task !== `${items.section[item]}/${at("task")(item)}`) return false;
    if (change && (change === "rose") !== changeOf(item) > 0) return false;
    if (first && first !== at("first_result")(item)) return false;
    return !(second && second !== at("second_result")(item));
  }

  function summary(shown) {
    const rose = shown.filter((item) => changeOf(item) > 0).length;
    return shown.length ? `${count(shown.length - rose)} worse, ${count(rose)} better` : "";
  }

  // --- the table ----------------------------------------------------------------------------------------------------

  function cells(item) {
    const said = (side) => bdi(at(`${side}_response`)(item).slice(0, 200) || "(empty)");
    const where = several ? sectionOf(item).second[0] : at("dataset")(item);
    return [
      make("td", "c-id", visible(items.id[item])),
      make("td", "c-label", bdi(at("label")(item)), " ", make("small", "", visible(where))),
      make("td", "c-first-said", said("first")),
      make("td", "c-second-said", said("second")),
      resultCell(item, "first"),
      resultCell(item, "second"),
      make("td", `c-change ${changeOf(item) > 0 ? "rose" : "fell"}`, changeWords(item)),
    ];
  }

  const changeWords = (item) =>
    isChat(item) ? `${changeOf(item) > 0 ? "+" : "−"}${Math.abs(changeOf(item)).toFixed(1)}` : changeOf(item) > 0 ? "better" : "worse";

  function resultCell(item, side) {
    const result = at(`${side}_result`)(item), letter = isChat(item) ? "" : at(`${side}_read`)(item);
    const cell = make("td", `c-${side} ${TONES[result] ?? ""}`, letter && `${letter} `, SIGNS[result] ?? result);
    cell.title = result;
    return cell;
  }

  // --- the details --------------------------------------------------------------------------------------------------

  function details(item) {
    const { track, second, unit } = sectionOf(item);
    const source = note(visible(`${track} · ${at("source")(item)}${several ? ` · ${second[0]}` : ""} · ${unit}`));
    return [source, part("Question", quoted(at("question")(item))), ...asked(item), side(item, "first"), side(item, "second"), results(item)];
  }

  function asked(item) {
    if (isChat(item)) return [part("Reference answer", quoted(text(items.reference[item]))), part("Description for the judge", quoted(text(items.meta[item])))];
    const chosen = (letter) => ["first", "second"].filter((name) => at(`${name}_read`)(item) === letter);
    return [optionList(items.choices[item].map(text), items.right[item], chosen)];
  }

  function side(item, name) {
    const [folder, model] = sectionOf(item)[name];
    return part(`${name === "first" ? "First" : "Second"} response`, quoted(at(`${name}_response`)(item)), note(visible(`${model} · ${folder}`)));
  }

  function results(item) {
    const heads = isChat(item) ? ["Run", "Reference first / model first", "Score"] : ["Run", "Letter", "Result"];
    return part("What was made of it", grid(heads, ["first", "second"].map((name) => {
      const result = at(`${name}_result`)(item);
      return [name, at(`${name}_read`)(item) || "–", make("td", TONES[result] ?? "", result)];
    })));
  }

  itemTable({
    total: items.id.length,
    choose: (given) => { choice = given; },
    passes,
    texts: (item) => [
      items.id[item],
      ...["label", "source", "question", "first_response", "second_response"].map((column) => at(column)(item)),
      ...(items.choices[item] ?? [items.reference[item], items.meta[item]]).map(text),
    ],
    falling: ["change"],
    keys: {
      id: (item) => item,
      label: (item) => at("label")(item) + "\n" + at("source")(item),
      "first-said": at("first_response"),
      "second-said": at("second_response"),
      first: (item) => items.first[item],
      second: (item) => items.second[item],
      change: changeOf,
    },
    summary,
    cells,
    title: (item) => [at("label")(item), items.id[item]],
    details,
    address: (item) => `${items.section[item]}/${encodeURIComponent(items.id[item])}`,
  });
})();
