"use strict";
// Draws the charts, lists the items and gives the data out. Texts are set as text, never as markup.
(() => {
  const byId = id => document.getElementById(id);
  const make = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  if (!("DecompressionStream" in window)) return;

  async function unpacked(id) {
    const bytes = Uint8Array.from(atob(byId(id).textContent), letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }

  // ------------------------------------------------------------------ charts
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function drawCharts(charts) {
    for (const figure of document.querySelectorAll("[data-chart]")) {
      const chart = charts[Number(figure.dataset.chart)];
      const drawn = figure.querySelector(".drawn");
      const live = make("div", undefined, "live");
      live.setAttribute("role", "img");
      live.setAttribute("aria-label", chart.name);
      const draw = () => {
        const chosen = dark.matches ? chart.dark : chart.light;
        // The caption says what the title says.
        const { title, ...layout } = chosen.layout;
        layout.margin = { ...layout.margin };
        const above = title && title.text ? 20 * (title.text.split("<br>").length) : 0;
        layout.margin.t -= above;
        layout.height -= above;
        return window.Plotly.react(live, chosen.data, layout, {
          displayModeBar: false, responsive: true, scrollZoom: false,
        });
      };
      drawn.before(live);
      draw().then(() => {
        drawn.classList.add("hidden");
        dark.addEventListener("change", draw);
      });
    }
  }

  // ------------------------------------------------------------------ items
  const ON_A_PAGE = 10;
  const SIGNS = { "right": "✓ right", "wrong": "✗ wrong", "read": "→ read", "not read": "? not read",
    "no answer": "– no answer" };

  function listItems(data) {
    const { texts, entries, marks, facets } = data;
    const list = byId("list");
    const lower = texts.map(text => text.toLowerCase());
    // Where words are looked for: problems, answers as read, what was written; not the prompts.
    const searched = entries.map(([name, , parts]) => {
      const found = [name];
      for (const [, text, right, answers] of parts) {
        found.push(text, right);
        for (const [, value, , , who, exchanges] of answers) {
          found.push(value, who);
          for (const [, output, thinking] of exchanges) found.push(output, thinking);
        }
      }
      return found;
    });
    const chosen = { words: "", facets: {}, arm: "", mark: "" };
    let left = entries.map((_, place) => place);
    let page = 0;

    const fits = place => {
      const [, own, parts] = entries[place];
      for (const [facet, value] of Object.entries(chosen.facets)) {
        if (value !== "" && (own[facet] === undefined || texts[own[facet]] !== value)) return false;
      }
      if (chosen.arm === "" && chosen.mark === "") return true;
      return parts.some(([arm, , , answers]) => (chosen.arm === "" || texts[arm] === chosen.arm)
        && (chosen.mark === "" || answers.some(answer => marks[answer[0]] === chosen.mark)));
    };

    const narrow = () => {
      const words = chosen.words.toLowerCase().split(/\s+/).filter(Boolean);
      const has = words.map(word => lower.map(text => text.includes(word)));
      left = [];
      for (let place = 0; place < entries.length; place += 1) {
        if (has.every(one => searched[place].some(text => one[text])) && fits(place)) left.push(place);
      }
      page = 0;
      show();
    };

    const search = make("div", undefined, "search");
    search.setAttribute("role", "search");
    const field = make("input");
    field.type = "search";
    field.addEventListener("input", () => { chosen.words = field.value; narrow(); });
    const more = make("div", undefined, "search");
    let fields = 0;
    const labelled = (words, control, kind, place = search) => {
      control.id = `field-${fields += 1}`;
      const label = make("label", words);
      label.htmlFor = control.id;
      const both = make("div", undefined, `field ${kind || ""}`);
      both.append(label, control);
      place.append(both);
    };
    labelled("Words in problems and answers", field, "words");
    const choice = (words, options, change, named = option => option, place = search) => {
      const select = make("select");
      for (const option of ["", ...options]) {
        const made = make("option", option === "" ? "all" : named(option));
        made.value = option;
        select.append(made);
      }
      select.addEventListener("change", () => { change(select.value); narrow(); });
      labelled(words, select, undefined, place);
    };
    const names = Object.keys(facets);
    for (const [facet, label] of Object.entries(facets)) {
      const values = [...new Set(entries.map(entry => entry[1][facet]).filter(value => value !== undefined))]
        .map(value => texts[value]);
      if (values.length < 2 || values.length > 60) continue;
      values.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
      // With many facets, the first and the last are what is mostly asked for.
      const inner = names.length > 5 && facet !== names[0] && facet !== names[names.length - 1];
      choice(label, values, value => { chosen.facets[facet] = value; }, option => option,
        inner ? more : search);
    }
    const arms = new Set();
    const there = new Set();
    for (const [, , parts] of entries) {
      for (const [arm, , , answers] of parts) {
        if (texts[arm]) arms.add(texts[arm]);
        for (const answer of answers) there.add(marks[answer[0]]);
      }
    }
    if (there.size > 1) {
      choice("Answers", marks.filter(mark => there.has(mark)), value => { chosen.mark = value; },
        mark => SIGNS[mark] || mark);
    }
    if (arms.size > 1) choice("Of the kind", [...arms], value => { chosen.arm = value; });
    const all = make("input");
    all.type = "checkbox";
    labelled("Print all that are listed", all, "check");

    const told = make("p", undefined, "told");
    told.setAttribute("role", "status");
    const shown = make("div", undefined, "entries");
    const pages = make("div", undefined, "pages");
    const button = (words, to) => {
      const made = make("button", words);
      made.type = "button";
      made.addEventListener("click", () => { page = to(); show(); told.scrollIntoView(); });
      pages.append(made);
      return made;
    };
    const last = () => Math.max(0, Math.ceil(left.length / ON_A_PAGE) - 1);
    const first = button("First", () => 0);
    const back = button("Previous", () => page - 1);
    const where = make("span");
    pages.append(where);
    const next = button("Next", () => page + 1);
    const end = button("Last", last);
    const folded = make("details", undefined, "more");
    folded.append(make("summary", "More filters"), more);
    list.append(search, ...(more.childElementCount ? [folded] : []), told, shown, pages);

    const number = new Intl.NumberFormat("en");
    function show() {
      const whole = left.length === entries.length ? "" : ` of ${number.format(entries.length)}`;
      told.textContent = `${number.format(left.length)}${whole} ${data.noun}${entries.length === 1 ? "" : "s"}`;
      const some = all.checked ? left : left.slice(page * ON_A_PAGE, (page + 1) * ON_A_PAGE);
      shown.replaceChildren(...some.map((place, at) => card(entries[place], all.checked || at === 0)));
      where.textContent = `Page ${number.format(page + 1)} of ${number.format(last() + 1)}`;
      first.disabled = back.disabled = page === 0;
      next.disabled = end.disabled = page >= last();
      pages.classList.toggle("hidden", all.checked || left.length <= ON_A_PAGE);
      document.body.classList.toggle("all", all.checked);
    }
    all.addEventListener("change", () => { page = 0; show(); });

    // A line that opens; on paper all are open.
    function card([name, own, parts], open) {
      const made = make("details", undefined, "entry");
      made.open = open;
      const line = make("summary");
      // A number or a single word needs its label; other words say what they are.
      const chips = Object.keys(facets).reverse().filter(facet => own[facet] !== undefined)
        .map(facet => {
          const value = texts[own[facet]];
          return /^\S{1,14}$/.test(value) ? `${facets[facet]}: ${value}` : value;
        });
      line.append(make("h3", texts[name]), make("span", chips.join(" · "), "chips"));
      made.append(line);
      const both = make("div", undefined, "parts");
      both.append(...parts.map(part));
      made.append(both);
      return made;
    }

    function part([arm, text, right, answers]) {
      const made = make("div", undefined, "part");
      if (texts[arm]) made.append(make("p", texts[arm], "arm"));
      made.append(make("p", texts[text], "text"));
      if (texts[right]) made.append(make("p", `Right answer: ${texts[right]}`));
      const given = make("ul", undefined, "answers");
      given.append(...answers.map(answer => one(answer, answers.length > 1)));
      made.append(given);
      return made;
    }

    function one([mark, value, how, sample, who, exchanges], several) {
      const made = make("li");
      const before = texts[who] ? `${texts[who]}: ` : several ? `${sample}. ` : "";
      const read = texts[value] ? `: ${texts[value]}` : "";
      made.append(make("p", `${before}${SIGNS[marks[mark]] || marks[mark]}${read}`, "verdict"));
      if (texts[how]) made.append(make("p", texts[how], "faint"));
      const fold = (words, contents) => {
        const folded = make("details");
        folded.append(make("summary", words));
        for (const [title, content] of contents) {
          if (title) folded.append(make("p", title, "faint"));
          const block = make("pre", content === "" ? "(nothing)" : content);
          block.tabIndex = 0;
          folded.append(block);
        }
        made.append(folded);
      };
      const named = (words, place) => exchanges.length > 1 ? `${words} ${place + 1}` : "";
      if (exchanges.length) {
        fold("What was written", exchanges.flatMap(([, output, thinking], place) => [
          ...(texts[thinking] ? [["Thought before", texts[thinking]]] : []),
          [named("Response", place), texts[output]],
        ]));
        fold("The exact prompt",
          exchanges.map(([prompt], place) => [named("Request", place), texts[prompt]]));
      }
      return made;
    }
    show();
  }

  // ------------------------------------------------------------------ data
  const FORMULA = /^['\s]*[=+\-@]/;
  const NUMBER = /^[+-][0-9]+(?:\.[0-9]+)?$/;
  // As the library guards cells: a spreadsheet must not run what somebody wrote.
  const guarded = cell => FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  const quoted = cell => /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const csv = rows => rows.map(row => row.map(cell => quoted(guarded(String(cell)))).join(",")).join("\r\n") + "\r\n";

  function answersOf(data) {
    const { texts, marks, entries, facets } = data;
    const rows = [];
    for (const [name, own, parts] of entries) {
      for (const [arm, text, right, answers] of parts) {
        for (const [mark, value, how, sample, who, exchanges] of answers) {
          const row = { [data.noun]: texts[name] };
          for (const facet of Object.keys(facets)) {
            row[facet] = own[facet] === undefined ? "" : texts[own[facet]];
          }
          Object.assign(row, {
            kind: texts[arm], problem: texts[text], right_answer: texts[right], who: texts[who],
            sample, outcome: marks[mark], read_as: texts[value], how_read: texts[how],
            exchanges: exchanges.map(([prompt, output, thinking]) => ({
              prompt: texts[prompt], output: texts[output], thinking: texts[thinking],
            })),
          });
          rows.push(row);
        }
      }
    }
    return rows;
  }

  function answersCsv(data) {
    const rows = answersOf(data);
    if (!rows.length) return "";
    const columns = Object.keys(rows[0]).filter(name => name !== "exchanges");
    const joined = (row, what) => row.exchanges.map(each => each[what]).join("\n\n");
    return csv([
      [...columns, "prompts", "outputs", "thinking"],
      ...rows.map(row => [...columns.map(name => row[name]), joined(row, "prompt"),
        joined(row, "output"), joined(row, "thinking")]),
    ]);
  }

  function wholeJson(data) {
    const { texts, entries, facets, marks, charts, format, noun, ...said } = data;
    return JSON.stringify({ ...said, answers: answersOf(data) }, null, 1);
  }

  function giveOut(data) {
    const place = byId("downloads");
    const buttons = make("div", undefined, "buttons");
    const give = (name, kind, content) => {
      const button = make("button", name);
      button.type = "button";
      button.addEventListener("click", () => {
        const link = make("a");
        link.download = name;
        link.href = URL.createObjectURL(new Blob([content()], { type: kind }));
        link.click();
        window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      });
      buttons.append(button);
    };
    if (data.entries.length) give("answers.csv", "text/csv", () => answersCsv(data));
    for (const [name, content] of Object.entries(data.files)) {
      give(name, name.endsWith(".csv") ? "text/csv" : "text/plain", () => content);
    }
    give("report.json", "application/json", () => wholeJson(data));
    place.append(buttons);
  }

  async function start() {
    const data = JSON.parse(await unpacked("packed"));
    for (const about of document.querySelectorAll("[data-short]")) {
      about.textContent = about.dataset.short;
    }
    if (byId("list")) listItems(data);
    giveOut(data);
    if (byId("library")) {
      const library = make("script", await unpacked("library"));
      document.head.append(library);
      if (window.Plotly) drawCharts(data.charts);
    }
    document.documentElement.dataset.ready = "yes";
  }
  start();
})();
