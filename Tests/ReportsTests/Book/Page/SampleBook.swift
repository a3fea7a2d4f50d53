import Plots
import Reports
import Tables

/// Books with one of everything.
enum SampleBook {
  /// A book that has a text, any text, in every place that takes one.
  static func everywhere(_ text: String) throws -> Book {
    let table = try table(text)
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title id=\"t\">plot</title></svg>"
    let section = Book.Section(
      name: text, title: text, answer: [text, text], tables: [table],
      figures: [Figure(name: "plot", title: text, description: text, svg: svg)])
    let health = Book.Section(name: "health", title: text, answer: [text], tables: [try checks()])
    let explanation = Explanation(
      question: text, inputs: text, entries: [Explanation.Entry(text, text, source: text)])
    return Book(
      title: text, answer: [text, text], facts: [(text, text)], overview: [health, section],
      chapters: [
        Book.Chapter(
          experiment: text, answer: [text, text], cards: [try card(text)],
          sections: [section, section])
      ],
      tables: [table], methods: [(text, explanation)])
  }

  /// A card that has a text wherever it takes one.
  static func card(_ text: String) throws -> TableCard {
    var table = try Table(
      name: "card", title: "",
      columns: [
        .measure("variant", .text, text), .measure("units", .integer, text),
        .measure("lift", .text, text), .measure("verdict", .text, text),
      ])
    try table.append(row: [.text("\(text) (baseline)"), .integer(12), .empty, .empty])
    try table.append(row: [.text(text), .integer(13), .text(text), .text("better")])
    return TableCard(
      experiment: text, title: text, facts: [text, text], headline: text, tone: .good,
      table: table, lines: [TableCard.Line("Guardrails", text), TableCard.Line("Trust", text)])
  }

  /// A table with a text in every cell that takes one, an empty cell and numbers.
  static func table(_ text: String) throws -> Table {
    var table = try Table(
      name: "compare", title: text,
      columns: [
        .key("experiment", .text, text), .key("variant", .text, text).main,
        .measure("lift", .decimal, text).main, .measure("units", .integer, text),
        .measure("seen", .timestamp, text), .measure("verdict", .text, text).main,
        .measure("status", .text, text),
      ])
    try table.append(row: [
      .text(text), .text(text), .decimal(0.1 + 0.2), .integer(12),
      .timestamp("2026-01-02T03:04:05Z"), .text(text), .text(text),
    ])
    try table.append(row: [
      .text(text), .text(text + "2"), .empty, .integer(7), .empty, .text("better"), .text(text),
    ])
    table.note(text, .text(text))
    table.answer = [text]
    return table
  }

  /// Checks of which one failed, one warns, and one is all right.
  static func checks() throws -> Table {
    var table = try Table(
      name: "health", title: "Health",
      columns: [
        .key("check", .text, "the check").main, .measure("value", .decimal, "its value").main,
        .measure("verdict", .text, "ok, warning, failed or not-applicable").main,
      ])
    for (check, verdict) in [
      ("busy_units", "ok"), ("crossed_units", "warning"), ("sample_ratio", "failed"),
      ("late_events", "not-applicable"),
    ] {
      try table.append(row: [.text(check), .decimal(0.5), .text(verdict)])
    }
    table.focus = TableFocus(column: "verdict", values: ["failed", "warning"])
    return table
  }

  /// A table of the rewards of some variants, each on some days.
  static func series(experiment: String, variants: Int, days: Int) throws -> Table {
    var table = try Table(
      name: "series", title: "Day by day",
      columns: [
        .key("experiment", .text, "the experiment"), .key("variant", .text, "the variant").main,
        .key("day", .text, "the day").main, .measure("decisions", .integer, "the decisions").main,
        .measure("reward_mean", .decimal, "the mean").main,
        .measure("ci_low", .decimal, "the lower end of its interval").main,
        .measure("ci_high", .decimal, "the upper end").main,
        .measure("decision_share", .decimal, "the share of the decisions").main,
        .measure("propensity_mean", .decimal, "the mean propensity"),
      ])
    for variant in 0..<variants {
      for day in 1...max(1, days) {
        let mean = Double((variant * 31 + day * 17) % 97) / 970
        try table.append(row: [
          .text(experiment), .text("variant-\(variant)"),
          .text("2026-01-\(day < 10 ? "0" : "")\(day)"),
          .integer(300 + day), .decimal(mean), .decimal(mean - 0.01), .decimal(mean + 0.01),
          .decimal(1 / Double(variants)), .decimal(1 / Double(variants)),
        ])
      }
    }
    return table
  }

  /// The reports of many experiments with many variants, each with plots.
  static func large(experiments: Int, variants: Int) throws -> Book {
    var book = try everywhere("shop")
    book.chapters = try (1...experiments).map { number in
      let name = "experiment-\(number)"
      let curves = (0..<6).map { plot in
        Figure(
          name: "plot_\(plot)", title: "Plot \(plot) of \(name)", description: "Mean by day.",
          svg: drawing(marks: 30 * variants, seed: number * 7 + plot))
      }
      let rows = try series(experiment: name, variants: variants, days: 28)
      return Book.Chapter(
        experiment: name, answer: ["variant-3 beats variant-0 by 12 % (4 % to 20 %)."],
        cards: [try card(name)],
        sections: (0..<6).map { part in
          Book.Section(
            name: "report-\(part)", title: "Report \(part)", answer: ["variant-3 leads."],
            tables: [rows], figures: [curves[part]])
        })
    }
    return book
  }

  /// A plot with some marks that have values.
  private static func drawing(marks: Int, seed: Int) -> String {
    let points = (0..<marks).map { mark in
      let height = (mark * seed * 37) % 300
      return
        "<circle cx=\"\(mark * 700 / marks)\" cy=\"\(height)\" r=\"2\"><title>\(height)</title></circle>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 320" width="700" height="320" role="img" \
      aria-labelledby="p-title"><title id="p-title">A plot</title>
      <style>
      .mark{fill:#0072b2}
      </style>
      <g class="mark">\(points.joined())</g></svg>
      """
  }
}
