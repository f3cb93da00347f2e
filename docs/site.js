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
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    made.append(...children.flat());
    return made;
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
      : element("details", {}, element("summary", {}, "not ranked"), figure.caveats.join("; "));

  const results = (place) => {
    const loads = [...new Set(data.figures.map((figure) => `${figure.run}: ${figure.load}`))];
    const chosen = { load: loads[0], survives: "nothing", language: "any" };
    const shown = element("div");
    const show = () => {
      const figures = data.figures
        .filter((figure) => `${figure.run}: ${figure.load}` === chosen.load)
        .filter((figure) => {
          const known = about(figure.variant) || { outlives: "nothing", language: "java" };
          return (
            SURVIVES.indexOf(known.outlives) >= SURVIVES.indexOf(chosen.survives) &&
            (chosen.language === "any" || known.language === chosen.language)
          );
        })
        .sort((a, b) => a.cost - b.cost);
      const most = Math.max(...figures.map((figure) => figure.to ?? figure.cost));
      shown.replaceChildren(
        figures.length === 0
          ? element("p", {}, "No variant with these properties was measured under this load.")
          : table(
              ["variant", "CPU-µs a call [99 %]", "", "a request survives", ""],
              figures.map((figure) =>
                element(
                  "tr",
                  {},
                  [
                    named(figure.variant),
                    interval(figure),
                    bar(figure, most),
                    IN_WORDS[about(figure.variant)?.outlives] ?? "",
                    caveats(figure),
                  ].map((cell) => element("td", {}, cell)),
                ),
              ),
            ),
      );
      const from = data.runs.find((known) => chosen.load.startsWith(`${known.name}: `));
      shown.append(
        element("p", {}, `Measured ${from.started} in ${from.starts} start${from.starts > 1 ? "s" : ""}, on `,
          `${from.machine} with Java ${from.java}.`, from.caveats.map((text) => ` ${text}`)),
        element("p", {}, `To dispute a figure, measure it again at commit ${from.commit}:`),
        element("pre", {}, element("code", {}, from.command)),
      );
    };
    const filter = (name) => (value) => {
      chosen[name] = value;
      show();
    };
    place.replaceChildren(
      element(
        "form",
        { class: "site-form" },
        select("Load", loads.map((load) => [load, load]), chosen.load, filter("load")),
        select("A request survives at least", SURVIVES.map((level) => [level, IN_WORDS[level]]),
          "nothing", filter("survives")),
        select("Responder in", [["any", "any language"], ["java", "Java"], ["python", "Python"]], "any", filter("language")),
      ),
      shown,
    );
    show();
  };

  /** The run and the load that answer for so many calls a request. */
  const LOADS = {
    1: ["transports", "1 call a request, 1 user"],
    10: ["transports", "10 calls a request, 500 requests/s"],
    1000: ["headline", "1,000 calls a request, 8 users"],
  };

  /** What to say where no figure fits. */
  const nothing = ({ survives, calls }) =>
    survives === "power-cut"
      ? ["What such a request costs was measured for one-way messages: ",
          element("a", { href: `${base()}failures.html#a-power-cut` }, "which variants survive it, and at what price"), "."]
      : calls === "1000"
        ? ["Nothing that was measured fits."]
        : ["As a stream, only requests of a thousand calls were measured."];

  const choose = (place) => {
    const chosen = { survives: "nothing", calls: "1000", alone: "no" };
    const shown = element("div", { "aria-live": "polite" });
    const show = () => {
      const [run, load] = LOADS[chosen.calls];
      const loads = [chosen.alone !== "yes" && load, chosen.alone !== "no" && `${load}, as a stream`];
      const fits = data.figures
        .filter((figure) => figure.run === run && loads.includes(figure.load))
        .filter((figure) => SURVIVES.indexOf(about(figure.variant)?.outlives) >= SURVIVES.indexOf(chosen.survives))
        .sort((a, b) => a.cost - b.cost);
      shown.replaceChildren(
        fits.length === 0
          ? element("p", {}, ...nothing(chosen))
          : element(
              "ol",
              {},
              fits.map((figure) =>
                element("li", {}, element("strong", {}, named(figure.variant)), figure.mode === "unary" ? "" : ` as a ${figure.mode}`,
                  ` costs ${interval(figure)} CPU-µs a call; a request survives ${IN_WORDS[about(figure.variant).outlives]}.`,
                  figure.caveats.length > 0 ? " The figure has a caveat." : ""),
              ),
            ),
      );
    };
    const question = (name) => (value) => {
      chosen[name] = value;
      show();
    };
    place.replaceChildren(
      element(
        "form",
        { class: "site-form" },
        select("What must a request survive?", [["nothing", "nothing: the caller tries again"],
          ["responder", "its responder's end"], ["broker", "the broker's restart"], ["power-cut", "a power cut"]],
          "nothing", question("survives")),
        select("How many calls does a request make?", [["1", "one, for one user"], ["10", "ten, 500 requests a second"],
          ["1000", "a thousand, at full load"]], "1000", question("calls")),
        select("Can they go in one stream?", [["no", "no, each alone"], ["yes", "yes"], ["either", "either"]],
          "no", question("alone")),
      ),
      shown,
    );
    show();
  };

  for (const [id, fill] of [["site-results", results], ["site-choose", choose]]) {
    const place = document.getElementById(id);
    if (place && data) {
      fill(place);
    }
  }
})();
