import Foundation
import TestSupport
import Testing

@Suite("Reports with an analysis file")
struct AnalysisFileTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var plan: String { folder.path("plan.yaml") }

  /// Two experiments; b of shop converts more, from the fifth hour on only.
  init() throws {
    folder = try TemporaryFolder()
    let lines = (0..<600).flatMap { number -> [String] in
      ["shop", "site"].flatMap { experiment -> [String] in
        let variant = number % 2 == 0 ? "a" : "b"
        let start = #""unit":"\#(experiment)\#(number)","time":""#
        let time = Timestamps.text(seconds: 60 * number)
        let converts =
          number % (experiment == "shop" && variant == "b" && number > 300 ? 3 : 5) == 0
        let decision =
          #"{"type":"decision",\#(start)\#(time)","experiment":"\#(experiment)","variant":"\#(variant)","#
          + #""context":{"country":"\#(number % 3 == 0 ? "DE" : "US")"}}"#
        let goal =
          #"{"type":"goal",\#(start)\#(time)","experiment":"\#(experiment)","goal":"buy","value":2}"#
        return [decision] + (converts ? [goal] : [])
      }
    }
    expectDone(try Command.run("append \(log)", input: lines.text))
  }

  private func write(_ text: String) throws {
    try text.write(toFile: plan, atomically: true, encoding: .utf8)
  }

  private func rows(_ words: String) throws -> [[String: String]] {
    let result = try Command.run("\(words) --format csv")
    expectDone(result)
    let cells = result.lines.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = cells.first else { return [] }
    return cells.dropFirst().map { Dictionary(zip(header, $0), uniquingKeysWith: { $1 }) }
  }

  @Test("settings apply to the rows of their experiment, and to no others")
  func ownRows() throws {
    try write(
      """
      experiments:
        shop:
          baseline: b
          metric: converted
          guardrails: [reward]
          dimensions: [context.country]
          minimum_effect: 0.2
      """)
    // Reasons have commas.
    let columns = "experiment,metric,variant,baseline,recommendation,dimension_value"
    let rows = try rows("report compare \(log) --analysis \(plan) --columns \(columns)")
    let shop = rows.filter { $0["experiment"] == "shop" }
    #expect(rows.filter { $0["experiment"] == "site" }.map { $0["variant"] } == ["b"])
    #expect(rows.filter { $0["experiment"] == "site" }.map { $0["metric"] } == ["reward"])
    #expect(shop.allSatisfy { $0["variant"] == "a" && $0["baseline"] == "b" })
    #expect(
      shop.map { "\($0["metric"] ?? "") \($0["dimension_value"] ?? "")" } == [
        "converted ", "converted DE", "converted US", "reward ", "reward DE", "reward US",
      ])
    #expect(shop.filter { $0["recommendation"] != "" }.count == 1)
    let json = try Command.run("report compare \(log) --analysis \(plan) --format json")
    #expect(json.text.contains("a of shop"))
  }

  @Test("reports of decisions count the metric of the file, or say why they do not")
  func rewards() throws {
    try write("experiments: {shop: {baseline: b, metric: converted}, site: {metric: visits}}")
    for report in ["report rewards", "report series", "report regret", "evaluate --policy uniform"] {
      let own = try Command.run("\(report) \(log) --analysis \(plan) --format json").text
      #expect(own.contains("shop: converted; site: reward (visits is measured for units"), "\(report)")
    }
    let planned = try rows("report rewards \(log) --analysis \(plan)")
    let asked = try rows("report rewards \(log) --experiment shop --metric converted")
    #expect(planned.filter { $0["experiment"] == "shop" } == asked)
    let site = try rows("report rewards \(log) --experiment site")
    #expect(planned.filter { $0["experiment"] == "site" } == site)
    let table = try Command.run("report rewards \(log) --analysis \(plan) --format table").text
    #expect(table.hasPrefix("shop: b has the highest mean reward per decision"), "\(table)")
    #expect(table.contains("shop: converted"))
    // Decisions of the first have no probabilities, and are in the report all the same.
    try write("experiments: {homepage: {metric: converted}, recommendations: {baseline: popular}}")
    let streams = "report adaptive datasets/storefront.log --columns experiment,variant,baseline"
    let baselines = try rows("\(streams) --analysis \(plan)").filter { $0["experiment"] == "recommendations" }
    #expect(Set(baselines.compactMap { $0["baseline"] }) == ["popular"])
  }

  @Test("options take precedence over the file")
  func precedence() throws {
    try write("experiments: {shop: {baseline: b, metric: converted}}")
    let rows = try rows(
      "report compare \(log) --analysis \(plan) --experiment shop --baseline a --metric goals")
    #expect(rows.map { $0["metric"] } == ["goals"] && rows.map { $0["variant"] } == ["b"])
  }

  @Test("dates cut the events of one experiment, in every report with rows of experiments")
  func dates() throws {
    try write("experiments: {shop: {until: \"\(Timestamps.text(seconds: 60 * 200))\"}}")
    let rows = try rows("report rewards \(log) --analysis \(plan)")
    #expect(rows.filter { $0["experiment"] == "shop" }.map { $0["units"] } == ["100", "100"])
    #expect(rows.filter { $0["experiment"] == "site" }.map { $0["units"] } == ["300", "300"])
    for report in ["conversions", "regret", "series", "visits", "quantiles", "retention", "power"] {
      expectDone(try Command.run("report \(report) \(log) --analysis \(plan)"))
    }
    let health = try self.rows("report health \(log) --analysis \(plan)")
    let late = health.filter { $0["check"] == "late_events" }
    #expect(late.count == 1 && late.first?["total"] == "1460")
    let units = health.filter { $0["check"] == "crossed_units" }
    #expect(units.map { $0["total"] } == ["200", "600"])
  }

  @Test("decisions say what to do, with any number of threads")
  func decisions() throws {
    try write("experiments:\n  shop: {metric: converted, minimum_effect: 0.2}\n  site:\n")
    let words = "report decisions \(log) --analysis \(plan)"
    let rows = try rows(words)
    #expect(rows.map { $0["experiment"] } == ["shop", "site"])
    #expect(rows.allSatisfy { $0["recommendation"]?.isEmpty == false })
    let one = try Command.run(words + " --jobs 1")
    #expect(try Command.run(words + " --jobs 5").output == one.output)
  }

  @Test("report all prints an analysis file, which it takes as it is")
  func suggestion() throws {
    let suggested = try Command.run("report all \(log) --suggest")
    expectDone(suggested)
    #expect(suggested.text.contains("\nexperiments:\n  shop:\n    baseline: a\n"))
    #expect(suggested.text.contains("  site:\n"))
    try write(suggested.text)
    let report = folder.path("report")
    expectDone(try Command.run("report all \(log) --analysis \(plan) -o \(report)"))
    let alone = try Command.run("report decisions \(log) --analysis \(plan) --format csv")
    #expect(try String(contentsOfFile: report + "/decisions.csv", encoding: .utf8) == alone.text)
    let manifest = try String(contentsOfFile: report + "/manifest.json", encoding: .utf8)
    #expect(manifest.contains("minimum_effect"))
    expectFailure(try Command.run("report all \(log) --suggest -o \(report)"), 64, says: "--output")
    expectFailure(try Command.run("report all \(log)"), 64, says: "--output")
  }

  @Test("a missing or wrong file is an error that says what and where")
  func wrongFiles() throws {
    expectFailure(try Command.run("report decisions \(log)"), 64, says: "--analysis")
    expectFailure(
      try Command.run("report rewards \(log) --analysis \(folder.path("none"))"), 66, says: "none")
    try write("experiments:\n  shp: {}\n")
    expectFailure(
      try Command.run("report rewards \(log) --analysis \(plan)"), 65,
      says: "plan.yaml:2: ")
    try write("experiments:\n  shop: {basline: a}\n")
    expectFailure(
      try Command.run("report compare \(log) --analysis \(plan)"), 65, says: "baseline")
  }

  @Test("a database has no time ranges, and says so; the rest of a file it takes")
  func database() throws {
    let database = folder.path("shop.sqlite")
    expectDone(try Command.run("replay \(log) --into \(database)"))
    try write("experiments: {shop: {metric: converted, baseline: b}}")
    let fromLog = try Command.run("report compare \(log) --analysis \(plan) --format csv")
    let fromDatabase = try Command.run("report compare \(database) --analysis \(plan) --format csv")
    expectDone(fromDatabase)
    #expect(fromDatabase.output == fromLog.output)
    let help = try Command.run("replay --help").text.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("files without dimensions, since and until."))
    for (setting, value) in [
      ("since", "2026-01-01"), ("until", "2026-01-01"), ("dimensions", "[policy]"),
    ] {
      try write("experiments: {shop: {\(setting): \(value)}}")
      expectFailure(
        try Command.run("report compare \(database) --analysis \(plan)"), 64, says: setting)
    }
  }
}
