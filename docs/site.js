// Fills the pages Results and Choose from site-data.js, which the site's build makes of docs/results/site.json.
// Both pages say without this script where the same figures are.
(() => {
  const data = window.CHATTERBOX;
  const SURVIVES = ["nothing", "responder", "broker", "power-cut"];
  const IN_WORDS = {
    nothing: "nothing",
    responder: "its responder",
    broker: "responder and broker",
    "power-cut": "a power cut",
  };
  const PAGES = ["rest", "grpc", "nats", "jetstream", "kafka", "rabbitmq", "artemis", "pulsar", "rsocket"];

  /** An element with attributes and children; text is never read as HTML. */
  const element = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      element.setAttribute(key, value);
    }
    element.append(...children.flat());
    return element;
  };

  const digits = (number) =>
    number >= 100 ? Math.round(number).toLocaleString("en") : number.toPrecision(3);
  const interval = (figure) =>
    digits(figure.cost) + (figure.from === undefined ? "" : ` [${digits(figure.from)}–${digits(figure.to)}]`);

  const about = (variant) => data.variants.find((known) => known.name === variant);

  const select = (label, options, chosen, changed) => {
    const field = element("select", { "aria-label": label });
    for (const [value, text] of options) {
      field.append(element("option", value === chosen ? { value, selected: "" } : { value }, text));
    }
    field.addEventListener("change", () => changed(field.value));
    return element("label", {}, `${label} `, field);
  };

  /** A bar as long as the cost, on a scale that ends at the highest one, with its interval as a line. */
  const bar = (figure, most) => {
    const part = (value) => `${((100 * value) / most).toFixed(1)}%`;
    const drawn = element("span", { class: "site-bar", "aria-hidden": "true" });
    const cost = element("i");
    cost.style.width = part(figure.cost);
    drawn.append(cost);
    if (figure.from !== undefined) {
      const range = element("b");
      range.style.left = part(figure.from);
      range.style.width = part(figure.to - figure.from);
      drawn.append(range);
    }
    return drawn;
  };

  const table = (head, rows) =>
    element(
      "div",
      { class: "site-table" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, head.map((text) => element("th", {}, text)))),
        element("tbody", {}, rows),
      ),
    );

  /** The variant's name, with what it is; a link where its transport has a page. */
  const named = (variant) => {
    const known = about(variant);
    const page = known && PAGES.includes(known.transport) && `${base()}transports/${known.transport}.html`;
    const name = page ? element("a", { href: page }, variant) : variant;
    return known ? element("span", { title: known.about }, name) : name;
  };

  /** The way to the site's root from this page: the theme writes it into its own settings. */
  const base = () => `${JSON.parse(document.getElementById("__config").textContent).base}/`;

  const caveats = (figure) =>
    figure.caveats.length === 0
      ? ""
      : element("details", {}, element("summary", {}, "not ranked: why"), figure.caveats.join("; "));

  /** Says again what a form and its choices show, and keeps the focus on what was changed. */
  const render = (place, fields, shown) => {
    const focus = document.activeElement?.getAttribute("aria-label");
    place.replaceChildren(element("form", { class: "site-form" }, fields), ...shown);
    place.querySelector(`[aria-label="${focus}"]`)?.focus();
  };

  const unit = (figure) => (figure.mode === "queue" ? "message" : "call");
  const survives = (least) => (figure) => SURVIVES.indexOf(figure.outlives) >= SURVIVES.indexOf(least);

  const results = (place) => {
    const title = (figure) => `${figure.run}: ${figure.load}`;
    const one = (values) => [...new Set(values)];
    const calls = one(data.figures.filter((figure) => figure.mode !== "queue").map((figure) => String(figure.calls))).sort((a, b) => a - b);
    const languages = one(data.figures.map((figure) => about(figure.variant)?.language ?? "java"));
    const chosen = { calls: "any", load: title(data.figures[0]), survives: "nothing", language: "any" };
    const change = (name) => (value) => {
      chosen[name] = value;
      show();
    };
    const show = () => {
      const figures = data.figures.filter((figure) => chosen.calls === "any"
        || (chosen.calls === "messages" ? figure.mode === "queue" : figure.mode !== "queue" && String(figure.calls) === chosen.calls));
      const loads = one(figures.map(title));
      chosen.load = loads.includes(chosen.load) ? chosen.load : loads[0];
      const fits = figures
        .filter((figure) => title(figure) === chosen.load)
        .filter(survives(chosen.survives))
        .filter((figure) => chosen.language === "any" || about(figure.variant)?.language === chosen.language)
        .sort((a, b) => a.cost - b.cost);
      const most = Math.max(...fits.map((figure) => figure.to ?? figure.cost));
      const row = (figure) => [named(figure.variant), interval(figure), bar(figure, most), IN_WORDS[figure.outlives], caveats(figure)];
      const run = data.runs.find((known) => chosen.load.startsWith(`${known.name}: `));
      render(place, [
        select("Calls per request", [["any", "any"], ...calls.map((number) => [number, Number(number).toLocaleString("en")]), ["messages", "one-way messages"]],
          chosen.calls, change("calls")),
        select("Load", loads.map((load) => [load, load]), chosen.load, change("load")),
        select("Survives at least", SURVIVES.map((level) => [level, IN_WORDS[level]]), chosen.survives, change("survives")),
        languages.length > 1
          ? select("Responder in", [["any", "any language"], ["java", "Java"], ["python", "Python"]], chosen.language, change("language"))
          : "",
      ], [
        fits.length === 0
          ? element("p", {}, "No variant with these properties was measured under this load.")
          : table(
              ["variant", `CPU-µs per ${unit(fits[0])} [99 %]`, "", `a ${fits[0].mode === "queue" ? "message" : "request"} survives`, ""],
              fits.map((figure) => element("tr", {}, row(figure).map((cell) => element("td", {}, cell)))),
            ),
        element("p", {}, `Measured ${run.started} in ${run.starts} start${run.starts > 1 ? "s" : ""}, on ${run.machine} with Java `,
          `${run.java}: `, element("a", { href: `${base()}results/${run.name}.json.gz` }, "the raw results"), ".",
          run.caveats.map((text) => ` ${text}`)),
        element("p", {}, `To dispute a figure, measure it again at commit ${run.commit}:`),
        element("pre", {}, element("code", {}, run.command)),
      ]);
    };
    show();
  };

  /** The run and the load that answer for a number of calls per request, sent one by one or as fewer messages. */
  const LOADS = {
    1: { unary: ["transports", "1 call per request, 1 user"] },
    10: { unary: ["transports", "10 calls per request, 500 requests/s"] },
    100: { unary: ["curve", "100 calls per request, 25 users"] },
    1000: {
      unary: ["headline", "1,000 calls per request, 8 users"],
      batch: ["curve", "1,000 calls per request, 8 users, in batches of 100 calls per message"],
      stream: ["curve", "1,000 calls per request, 8 users, as a stream"],
    },
  };

  const choose = (place) => {
    const chosen = { survives: "nothing", calls: "1000", mode: "unary" };
    const change = (name) => (value) => {
      chosen[name] = value;
      show();
    };
    const nothing = () =>
      chosen.survives === "power-cut"
        ? ["What this costs was measured for one-way messages: ",
            element("a", { href: `${base()}failures.html#a-power-cut` }, "which variants survive it, and at what price"), "."]
        : [chosen.mode in LOADS[chosen.calls] ? "No variant that was measured fits." : "Batches and streams were measured with a thousand calls."];
    const line = (figure) =>
      element("li", {}, element("strong", {}, named(figure.variant)), figure.mode === "unary" ? "" : ` in a ${figure.mode}`,
        ` costs ${interval(figure)} CPU-µs per call; a request survives ${IN_WORDS[figure.outlives]}. `, caveats(figure));
    const show = () => {
      const modes = Object.entries(LOADS[chosen.calls]).filter(([mode]) => chosen.mode === "any" || mode === chosen.mode);
      const fits = modes
        .flatMap(([, [run, load]]) => data.figures.filter((figure) => figure.run === run && figure.load === load))
        .filter(survives(chosen.survives))
        .sort((a, b) => (a.caveats.length > 0) - (b.caveats.length > 0) || a.cost - b.cost);
      render(place, [
        select("What must a request survive?", [["nothing", "nothing: the caller tries again"], ["responder", "its responder's end"],
          ["broker", "the broker's restart"], ["power-cut", "a power cut"]], chosen.survives, change("survives")),
        select("How many calls does a request make?", [["1", "one, for one user"], ["10", "ten, 500 requests per second"],
          ["100", "a hundred, at full load"], ["1000", "a thousand, at full load"]], chosen.calls, change("calls")),
        select("Can they share messages?", [["unary", "no, each has its own"], ["batch", "a hundred in a batch"],
          ["stream", "all in one stream"], ["any", "any of these"]], chosen.mode, change("mode")),
      ], [element("div", { "aria-live": "polite" }, fits.length === 0 ? element("p", {}, ...nothing()) : element("ol", {}, fits.map(line)))]);
    };
    show();
  };

  for (const [id, fill] of [["site-results", results], ["site-choose", choose]]) {
    const place = document.getElementById(id);
    if (place && data) {
      fill(place);
    }
  }
})();
