import EventLog
import Events
import Replay
import Specifications
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("The report of conversions")
struct ConversionReportTests {
  private static func csv(_ table: Table) -> [String] {
    text(Tables.write(table, as: .csv, options: TableOptions())).split(separator: "\n").map(
      String.init)
  }

  private static let heading =
    "experiment,variant,goal,units,converters,conversions,revenue_sum,conversion_rate,ci_low,ci_high,"
    + "revenue_mean,revenue_variance,revenue_ci_low,revenue_ci_high"

  private func table(
    _ log: ReportLog, _ projector: ConversionProjector = ConversionProjector(),
    by dimension: Dimension? = nil, level: Double = 0.95
  ) throws -> Table {
    var selection = UnitSelection()
    selection.dimension = dimension
    let report = try ConversionReport {
      $0.source = projector.source
      $0.attribution = projector.attribution
      $0.capping = projector.capping
      $0.level = level
    }
    return try report.table(of: log.replay, selection)
  }

  @Test("has the columns of the design first, a row for every variant and goal, and empty cells")
  func golden() throws {
    let log = try ReportLog([
      ReportLog.decision(1, "u", "b"), ReportLog.decision(1, "v", "b"),
      ReportLog.decision(1, "w", "a"), ReportLog.decision(1, "x", "c"),
      ReportLog.decision(2, "x", "a"), ReportLog.conversion(2, "u", "buy", 3),
      ReportLog.conversion(3, "u", "buy", 1), ReportLog.conversion(3, "w", "visit", nil),
    ])
    let lines = Self.csv(try table(log))
    // Wilson at 1 of 2 and 1 of 1; t at two values 4 and 0 is 2 ± 12.706… · 2.
    #expect(
      lines == [
        Self.heading,
        "e,a,buy,1,0,0,0,0,0,0.7934506856227626,0,,,",
        "e,a,visit,1,1,1,0,1,0.20654931437723745,1,0,,,",
        "e,b,buy,2,1,2,4,0.5,0.09453120573423074,0.9054687942657693,2,8,-23.412409472349395,27.412409472349395",
        "e,b,visit,2,0,0,0,0,0,0.6576197724933468,0,0,,",
        "e,c,buy,0,0,0,0,,,,,,,", "e,c,visit,0,0,0,0,,,,,,,",
      ])
  }

  @Test("notes state the parameters, and what was not counted under which rule")
  func notes() throws {
    let log = try ReportLog([
      ReportLog.decision(1, "u", "a"), ReportLog.conversion(0, "u", "buy", 1),
      ReportLog.conversion(2, "u", "buy", -1), ReportLog.conversion(2, "nobody", "buy", 1),
      ReportLog.event(3, "u", .conversion(Conversion(goal: "buy", revenue: 1, negative: true))),
    ])
    let notes = try table(log, level: 0.9).notes
    let found = { (name: String) in notes.first { $0.name == name }?.value }
    #expect(found("of") == .text("conversions"))
    #expect(found("attribution") == .text("first, window 7d"))
    #expect(found("rate_interval") == .text("Wilson, 90 %"))
    #expect(found("revenue_interval") == .text("Student t over units, 90 %"))
    #expect(found("capping") == nil)
    for (name, count) in [
      ("units", 1), ("exposures", 1), ("assignments", 1), ("assignments_crossed", 0),
      ("conversions_counted", 2), ("conversions_negative", 2), ("conversions_before_exposure", 1),
      ("conversions_of_units_never_exposed", 1), ("conversions_outside_window", 0),
    ] {
      #expect(found(name) == .integer(count), "\(name)")
    }
    #expect(found("goals_refused") == nil)
  }

  @Test("has the cap and the dimension behind its own columns")
  func furtherColumns() throws {
    let log = try ReportLog([
      ReportLog.decision(86_400_000_000, "u", "a"), ReportLog.decision(2, "v", "a"),
      ReportLog.conversion(86_400_000_000, "u", "buy", 30),
      ReportLog.conversion(5, "v", "buy", 2),
    ])
    let table = try table(
      log, ConversionProjector(capping: .absolute(10)), by: .day)
    #expect(
      table.columns.map(\.name).suffix(4) == [
        "revenue_cap", "units_capped", "dimension", "dimension_value",
      ])
    var cells: [[String]] = []
    for line in Self.csv(table).dropFirst() {
      let row = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      cells.append([row[6], row[14], row[15], row[17]])
    }
    #expect(cells == [["2", "10", "0", "1970-01-01"], ["10", "10", "1", "1970-01-02"]])
    #expect(table.notes.contains { $0.name == "capping" && $0.value == .text("at 10.0") })
  }

  @Test("a goal that has only negative conversions is named, and its rates of 0 are not compared")
  func negativeOnly() throws {
    let refund = { (unit: String) in
      ReportLog.event(3, unit, .conversion(Conversion(goal: "refund", revenue: 20, negative: true)))
    }
    let log = try ReportLog(
      [
        ReportLog.decision(1, "u", "a"), ReportLog.decision(1, "v", "b"), ReportLog.conversion(2, "u", "buy", 20),
        refund("u"),
      ])
    let answer = try ConversionReport().table(of: log.replay).answer
    #expect(
      answer.first == "e/refund has only negative conversions, which make no converter: see conversions and "
        + "revenue_mean, or --metric revenue.")
    #expect(answer.contains { $0.contains("buy") } && !answer.contains { $0.contains("same conversion rate") })
  }

  /// A purchase of e is one of its goals, and one of f is a conversion; h has neither.
  private static let mixed =
    ["e", "f", "h"].map { ReportLog.decision(1, "u of \($0)", "a", ExperimentID($0)) } + [
      ReportLog.event(2, "u of e", .goal(Goal(experiment: "e", goal: "buy", value: 9))),
      ReportLog.conversion(2, "u of f", "buy", 9),
    ]

  @Test("an experiment that has goals and no conversions is named, with the option that counts them")
  func goalsOnly() throws {
    let sentence = "No conversion counts in e, but it has goals: --of goals counts these."
    let log = try ReportLog(Self.mixed)
    let conversions = try ConversionReport().table(of: log.replay)
    #expect(conversions.rows.count == 3)
    #expect(conversions.answer.first == sentence)
    #expect(conversions.answer.dropFirst().allSatisfy { !$0.hasPrefix("e/") })
    #expect(conversions.notes.first { $0.name == "experiments_with_goals_only" }?.value == .text("e"))
    let goals = try ConversionReport { $0.source = .goals }.table(of: log.replay)
    #expect(goals.named.map { $0.text("experiment") } == ["e"] && goals.named[0].number("conversion_rate") == 1)
    #expect(!goals.notes.contains { $0.name == "experiments_with_goals_only" })
    // Also where there is nothing else to report.
    let alone = try ConversionReport().table(of: try ReportLog(Array(Self.mixed.prefix(4))).replay)
    #expect(alone.rows.isEmpty && alone.answer == [sentence])
  }

  @Test("a goal that the log has as goals only is named too, beside conversions of others")
  func goalOnly() throws {
    let log = try ReportLog(Self.mixed + [ReportLog.conversion(3, "u of e", "visit", 1)])
    let report = { (goal: String) in
      try GivenOptions([("metric", "converted:goal=\(goal)")]).report(ConversionReport.self).table(of: log.replay)
    }
    #expect(try report("buy").answer.first?.hasPrefix("No conversion counts in e") == true)
    #expect(try report("visit").answer.allSatisfy { !$0.contains("--of goals") })
  }

  @Test("a chapter of an experiment without conversions has its goals, in a table of their own")
  func chapters() throws {
    let book = try StoreLog.book(try ReportLog(Self.mixed))
    let shown = book.chapters.map { chapter in
      chapter.sections.first { $0.name == ConversionReport.name }?.tables.map(\.name)
    }
    #expect(shown == [["conversions_of_goals"], ["conversions"], ["conversions"]])
    let goals = try #require(book.tables.first { $0.name == "conversions_of_goals" })
    #expect(goals.named.map { $0.text("experiment") } == ["e"])
  }

  @Test("a named metric has its window, and its cap if it is one of a goal")
  func namedMetric() throws {
    let text = "metrics: {m: {value: \"revenue:goal=buy\", window: 3d, cap: 5}, all: {value: revenue, cap: 5}}"
    let files = OptionFiles { _ throws(SpecificationError) in text }
    let options = { (metric: String) in
      GivenOptions([("metrics", "m.yaml"), ("metric", metric)], files: files)
    }
    let report = try options("m").report(ConversionReport.self)
    #expect(report.attribution.conversionWindow == 3 * 86_400_000_000 && report.capping == .absolute(5))
    // Its cap is one on the revenue of a unit, and rows are by goal.
    let error = #expect(throws: ReportError.self) { try options("all").report(ConversionReport.self) }
    #expect(error?.description.contains("revenue:goal=NAME") == true)
  }

  @Test("an empty log, and one without conversions, give a heading alone")
  func empty() throws {
    for events in [[], [ReportLog.decision(1, "u", "a")]] {
      #expect(Self.csv(try table(try ReportLog(events))) == [Self.heading])
    }
  }

  @Test("odd names are quoted, and rows are sorted by their bytes")
  func oddNames() throws {
    let names = ["z", "é", "a,b", "\"", "A\nB", "=1+1", ""]
    let log = try ReportLog(
      names.map { ReportLog.decision(1, "u" + $0, $0.isEmpty ? " " : $0) }
        + [ReportLog.conversion(2, "uz", "go,al", 1)])
    let table = try table(log)
    #expect(
      table.rows.map { $0[1] } == [" ", "\"", "=1+1", "A\nB", "a,b", "z", "é"].map { .text($0) })
    #expect(Self.csv(table).contains { $0.hasPrefix("e,\"a,b\",\"go,al\",1,0,0,0,") })
  }
}
