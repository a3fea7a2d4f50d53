import EventLog
import Events
import Replay
import Reports
import Statistics
import Tables
import TestSupport
import Testing

/// The reports that follow units through time, on logs that fit on a page.
@Suite("Reports on units")
struct UnitReportTests {
  private static func decision(
    _ time: String, _ unit: String, _ variant: String, propensity: Double? = nil
  ) -> String {
    let known = propensity.map { #","propensity":\#($0)"# } ?? ""
    return #"{"type":"decision","time":"2026-01-\#(time)Z","unit":"\#(unit)","#
      + #""experiment":"e","variant":"\#(variant)"\#(known)}"#
  }

  private static func goal(_ time: String, _ unit: String, _ goal: String, _ value: Double? = nil)
    -> String
  {
    let value = value.map { #","value":\#($0)"# } ?? ""
    return #"{"type":"goal","time":"2026-01-\#(time)Z","unit":"\#(unit)","#
      + #""experiment":"e","goal":"\#(goal)"\#(value)}"#
  }

  /// Two units on the first day, one more on the fourth, and one that was seen in both variants.
  private static let events = [
    decision("01T10:00:00", "u1", "a", propensity: 0.5),
    decision("01T11:00:00", "u2", "b", propensity: 0.25),
    goal("01T10:20:00", "u1", "view", 2), decision("04T00:00:00", "u3", "a"),
    goal("04T01:00:00", "u2", "buy", 1), goal("04T02:00:00", "u1", "buy"),
    decision("02T00:00:00", "u4", "a"), decision("02T00:00:01", "u4", "b"),
    #"{"type":"conversion","time":"2026-01-04T00:00:30Z","unit":"u3","goal":"view"}"#,
  ]

  private func csv(_ table: Table) -> [String] {
    text(write(table, as: .csv)).split(separator: "\n").dropFirst().map(String.init)
  }

  @Test("series: a row for every day between the first and the last, zeros too")
  func series() throws {
    let log = try SmallLog(Self.events)
    let projector = SeriesProjector()
    let tallies = try LogReplay(log.reader).run(UnitSelection(), units: projector)
    #expect(SeriesReport.rowCount(tallies) == 8)
    let table = try SeriesReport().table(tallies, names: log.names)
    #expect(
      csv(table) == [
        "e,point-1,decision-1,a,2026-01-01,1,1,1,1,2,1,1,2,2,,,0.5,0.5,1,a,,,,,,,3,,,,,,,",
        "e,point-1,decision-1,a,2026-01-02,1,1,1,0,0,2,2,2,1,-11.706204736174698,13.706204736174698,0.5,,0,a,,,,,,,0,,,,,,,",
        "e,point-1,decision-1,a,2026-01-03,0,0,0,0,0,2,2,2,1,-11.706204736174698,13.706204736174698,,,0,a,,,,,,,,,,,,,,",
        "e,point-1,decision-1,a,2026-01-04,1,1,1,1,1,3,3,3,1,-3.302652729749462,5.302652729749462,1,,0,a,,,,,,,0,,,,,,,",
        "e,point-1,decision-1,b,2026-01-01,1,1,1,0,0,1,1,0,0,,,0.5,0.25,1,a,-2,,,-1,,,1,-2,,,-0.6666666666666667,,,",
        "e,point-1,decision-1,b,2026-01-02,1,1,1,0,0,2,2,0,0,,,0.5,,0,a,-1,,,-1,,,0,0,,,,,,",
        "e,point-1,decision-1,b,2026-01-03,0,0,0,0,0,2,2,0,0,,,,,0,a,-1,,,-1,,,,,,,,,,",
        "e,point-1,decision-1,b,2026-01-04,0,0,0,1,1,2,2,1,0.5,-5.853102368087349,6.853102368087349,0,,0,a,-0.5,,,-0.5,,,,,,,,,,",
      ])
    #expect(table.notes.contains { $0.name == "goals_credited" && $0.value == .integer(3) })
  }

  @Test("series: differences from the baseline, so far at every look and of a day at one")
  func contrasts() throws {
    var lines: [String] = []
    for unit in 0..<120 {
      let (day, variant) = (unit % 2 + 1, unit % 3 == 0 ? "a" : "b")
      lines.append(Self.decision("0\(day)T10:00:00", "u\(unit)", variant))
      if unit % 5 < (variant == "b" ? 3 : 2) {
        // Those of the second day come on the third.
        lines.append(Self.goal("0\(day == 1 ? 1 : 3)T11:00:00", "u\(unit)", "buy", 1))
      }
    }
    let log = try SmallLog(lines)
    func cells(_ variant: String, _ report: SeriesReport) throws -> [[String: Double]] {
      let table = try report.table(of: log.reader)
      let place = try #require(table.columns.firstIndex { $0.name == "variant" })
      return table.rows.filter { $0[place] == .text(variant) }.map { row in
        Dictionary(
          uniqueKeysWithValues: zip(table.columns, row).compactMap { column, cell in
            switch cell {
            case .decimal(let number): (column.name, number)
            case .integer(let number): (column.name, Double(number))
            default: nil
            }
          })
      }
    }
    let (a, b) = (try cells("a", SeriesReport()), try cells("b", SeriesReport()))
    #expect([a.count, b.count] == [3, 3])
    for (control, treatment) in zip(a, b) {
      #expect(control["difference"] == nil && control["period_difference"] == nil)
      let difference = try #require(treatment["difference"])
      #expect(difference == treatment["reward_mean"]! - control["reward_mean"]!)
      // As in compare, there is no lift where its interval has no end.
      #expect((treatment["lift"] == nil) == (treatment["lift_ci_low"] == nil))
      let lift = treatment["reward_mean"]! / control["reward_mean"]! - 1
      #expect(treatment["lift"].map { $0 == lift } ?? true)
    }
    let (low, high) = (try #require(b[2]["difference_ci_low"]), try #require(b[2]["difference_ci_high"]))
    #expect(abs((low + high) / 2 - b[2]["difference"]!) < 1e-12)
    // A decision's reward belongs to its day, whenever the goal came.
    #expect(b[0]["period_mean"] == 0.6 && b[1]["period_mean"] == 0.6 && b[2]["period_mean"] == nil)
    #expect(b[1]["period_difference"].map { abs($0 - 0.2) < 1e-12 } == true)
    let width = try #require(b[1]["period_difference_ci_high"]) - #require(b[1]["period_difference_ci_low"])
    // Half of the decisions at a single look; twice as many at every look.
    #expect(width > 0 && width < (high - low) * 2.squareRoot())
    // The chance of two variants is that of their difference to be positive.
    func squaredError(_ row: [String: Double], _ decisions: Double) throws -> Double {
      let mean = try #require(row["reward_mean"])
      return mean * (1 - mean) / (decisions - 1)
    }
    let error = try (squaredError(a[2], 40) + squaredError(b[2], 80)).squareRoot()
    let chance = StandardNormal.cdf(try #require(b[2]["difference"]) / error)
    #expect(abs(try #require(b[2]["chance_to_be_best"]) - chance) < 1e-9)
    #expect(abs(try #require(a[2]["chance_to_be_best"]) - (1 - chance)) < 1e-9)
    // Twenty decisions of each are enough, and less may be better.
    #expect(b[0]["chance_to_be_best"] != nil)
    let less = try RewardMetric(parsing: "reward:direction=lower")
    let lower = try cells("b", try SeriesReport { $0.attribution.metric = less })
    #expect(abs(try #require(lower[2]["chance_to_be_best"]) - (1 - chance)) < 1e-9)
    let other = try cells("a", try SeriesReport { $0.baseline = "b" })
    #expect(other[2]["difference"] == -b[2]["difference"]!)
    #expect(throws: ReportError.self) { try SeriesReport { $0.baseline = "c" }.table(of: log.reader) }
  }

  @Test("series: weeks and hours have headings and texts of their own")
  func periods() throws {
    let log = try SmallLog(Self.events)
    for (period, first) in [(Period.week, "2025-12-29"), (.hour, "2026-01-01T10:00")] {
      let table = try SeriesReport {
        $0.period = period
        $0.basis = .exposure
      }.table(of: log.reader)
      #expect(table.columns[4].name == period.rawValue)
      #expect(table.rows.first?[4] == .text(first))
    }
  }

  @Test("visits: a row of all units, then one for each variant")
  func visits() throws {
    let log = try SmallLog(Self.events)
    let table = try VisitReport().table(of: log.reader, jobs: 2)
    #expect(
      csv(table) == [
        ",,,,4,6,9,1.5,0.5813068844814605,2.4186931155185394,1.5,1.0380320585501075,1.9619679414498925,205.16666666666666,0.5,0.6666666666666666",
        "e,point-1,decision-1,a,2,3,5,1.5,-4.853102368087349,7.853102368087349,1.6666666666666667,1.2311191145466547,2.1022142187866786,410,0.3333333333333333,1",
        "e,point-1,decision-1,b,1,2,2,2,,,1,,,0,1,0.5",
      ])
    #expect(
      table.notes.contains {
        $0.name == "assignments_in_several_variants" && $0.value == .integer(1)
      })
  }

  @Test("funnel: the exposure is step 0, every step has its share of all and of the step before")
  func funnel() throws {
    let log = try SmallLog(Self.events)
    let projector = FunnelProjector(
      steps: ["view", "buy", "gone"].map { log.names.code(of: $0, in: .goals) },
      window: 172_800_000_000)
    let tallies = try LogReplay(log.reader).run(UnitSelection(), units: projector)
    let report = try FunnelReport {
      $0.steps = ["view", "buy", "gone"]
      $0.window = 172_800_000_000
    }
    let table = try report.table(tallies, names: log.names, dimension: nil)
    #expect(
      csv(table) == [
        "e,point-1,decision-1,a,0,,2,2,1,0.34238022750665315,1,,,,,1",
        "e,point-1,decision-1,a,1,view,2,2,1,0.34238022750665315,1,1,0.34238022750665315,1,615,1",
        "e,point-1,decision-1,a,2,buy,2,0,0,0,0.6576197724933468,0,0,0.6576197724933468,,1",
        "e,point-1,decision-1,a,3,gone,2,0,0,0,0.6576197724933468,,,,,1",
        "e,point-1,decision-1,b,0,,1,1,1,0.20654931437723745,1,,,,,0",
        "e,point-1,decision-1,b,1,view,1,0,0,0,0.7934506856227626,0,0,0.7934506856227626,,0",
        "e,point-1,decision-1,b,2,buy,1,0,0,0,0.7934506856227626,,,,,0",
        "e,point-1,decision-1,b,3,gone,1,0,0,0,0.7934506856227626,,,,,0",
      ])
    #expect(table.notes.contains { $0.name == "step_3" })
    #expect(!table.notes.contains { $0.name == "step_2" })
  }

  @Test("novelty: differences of each day since the exposure, of units whose day was over")
  func novelty() throws {
    var lines: [String] = []
    for unit in 0..<40 {
      let variant = unit % 2 == 0 ? "a" : "b"
      // The last two units are less than two days old at the end of the data.
      lines.append(Self.decision(unit < 38 ? "01T00:00:00" : "03T00:00:00", "u\(unit)", variant))
      if unit < 38, unit % 3 == 0 || variant == "b" && unit % 4 == 1 {
        lines.append(Self.goal("01T12:00:00", "u\(unit)", "buy", 1))
      }
      // The first moment of the second day, and the last one of the third.
      if unit < 38, unit % 3 == 0 { lines.append(Self.goal("02T00:00:00", "u\(unit)", "buy", 2)) }
      if unit == 1 { lines.append(Self.goal("03T23:59:59.999999", "u1", "buy", 4)) }
    }
    lines.append(Self.decision("04T00:00:00", "late", "a"))
    let log = try SmallLog(lines)
    let table = try NoveltyReport { $0.days = [0, 1, 2, 3] }.table(of: log.reader)
    let names = ["variant", "day", "units", "baseline_units", "mean", "baseline_mean", "difference"]
    let chosen = csv(try table.selecting(names))
    // By 2026-01-04T00:00:00 the late unit has no day, and two units have one.
    #expect(
      chosen == [
        "b,0,20,20,0.65,0.35,0.30000000000000004",
        "b,1,19,19,0.631578947368421,0.7368421052631579,-0.10526315789473684",
        "b,2,19,19,0.21052631578947367,0,0.21052631578947367",
      ])
    #expect(table.answer.count == 1 && table.answer[0].contains("b differs from a by"))
    // One day of the unit is one day of compare with a delay.
    let compare = try ComparisonReport {
      $0.measures.attribution = Attribution(
        window: 86_399_999_999, delay: 86_400_000_000, end: log.reader.latest,
        excludesInProgress: true)
    }.table(of: log.reader)
    let columns = ["difference", "ci_low", "ci_high", "lift", "p_value"]
    #expect(csv(try compare.selecting(columns)) == [csv(try table.selecting(columns))[1]])
  }

  @Test("retention: only units that are old enough are in the denominator")
  func retention() throws {
    let log = try SmallLog(Self.events)
    let table = try RetentionReport { $0.days = [0, 2] }.table(of: log.reader)
    #expect(
      csv(table) == [
        "e,point-1,decision-1,a,0,1,1,1,0.20654931437723745,1,1",
        "e,point-1,decision-1,a,2,0,0,,,,2",
        "e,point-1,decision-1,b,0,1,0,0,0,0.7934506856227626,0",
        "e,point-1,decision-1,b,2,0,0,,,,1",
      ])
    #expect(
      table.notes.contains {
        $0.name == "end_of_data" && $0.value == .text("2026-01-04T02:00:00Z")
      })
  }

  @Test("an empty log gives tables without rows")
  func empty() throws {
    let log = try SmallLog([])
    let tables = [
      try SeriesReport().table(of: log.reader), try VisitReport().table(of: log.reader),
      try FunnelReport { $0.steps = ["x"] }.table(of: log.reader),
      try RetentionReport { $0.days = [1] }.table(of: log.reader),
    ]
    for table in tables { #expect(table.rows.isEmpty, "\(table.name)") }
  }

  @Test("names with commas, quotes and line feeds stay one field, and rows are sorted by bytes")
  func oddNames() throws {
    let log = try SmallLog(
      [#"b,"#, #"\"b\""#, #"é"#, #"Z"#, #"\n"#].enumerated().map {
        Self.decision("01T10:00:0\($0)", "u\($0)", $1)
      })
    let table = try RetentionReport { $0.days = [1] }.table(of: log.reader)
    #expect(table.rows.map { $0[3] } == ["\n", "\"b\"", "Z", "b,", "é"].map { .text($0) })
    #expect(csv(table).contains { $0.hasPrefix(#"e,point-1,decision-1,"b,",1,0,0,,,,1"#) })
  }

  @Test("a funnel says in how many places a step keeps everybody from the last")
  func unreachedStep() throws {
    func unit(_ experiment: String, _ goals: String...) -> [String] {
      let start = #""unit":"\#(experiment)","experiment":"\#(experiment)""#
      return [#"{"type":"decision",\#(start),"time":"2026-01-01T00:00:00Z","variant":"a"}"#]
        + goals.map { #"{"type":"goal",\#(start),"time":"2026-01-02T00:00:00Z","goal":"\#($0)"}"# }
    }
    let lines = unit("e", "click", "buy") + unit("f", "buy")
    let log = try SmallLog(lines)
    let table = try FunnelReport {
      $0.steps = ["click", "buy"]
      $0.order = .any
    }.table(of: log.reader)
    #expect(table.answer.contains("Nobody reached click in 1 of 2 places, and so no later step there."))
  }

  @Test("a breakdown appends its columns to those of the report")
  func breakdown() throws {
    let log = try SmallLog(Self.events)
    var selection = UnitSelection()
    selection.dimension = .day
    let table = try RetentionReport { $0.days = [0] }.table(of: LogReplay(log.reader), selection)
    #expect(table.columns.suffix(2).map(\.name) == ["dimension", "dimension_value"])
    #expect(
      table.rows.map { $0[table.columns.count - 1] }
        == ["2026-01-01", "2026-01-04", "2026-01-01"].map { .text($0) })
  }

  @Test("a step that the log does not have is refused with the nearest name")
  func unknownStep() throws {
    let log = try SmallLog(Self.events)
    let error = #expect(throws: ReportError.self) {
      try FunnelReport { $0.steps = ["vieww"] }.table(of: log.reader)
    }
    #expect(error?.code == .badData)
    #expect(error?.description.hasSuffix("has no goal \"vieww\"; did you mean \"view\"?") == true)
  }

  @Test("parameters out of their range are refused by their names")
  func parameters() {
    let errors = [
      #expect(throws: ReportError.self) { try RetentionReport { $0.days = [1, 1] } },
      #expect(throws: ReportError.self) { try RetentionReport { $0.windowDays = 0 } },
      #expect(throws: ReportError.self) { try VisitReport { $0.level = 1 } },
      #expect(throws: ReportError.self) { try FunnelReport { $0.steps = ["a", ""] } },
      #expect(throws: ReportError.self) {
        try FunnelReport {
          $0.steps = ["a", "a"]
          $0.order = .any
        }
      },
    ]
    #expect(errors.allSatisfy { $0?.code == .badParameter })
    let names = errors.map { $0?.description.split(separator: " ").first ?? "" }
    #expect(names == ["days", "window-days", "alpha", "steps", "steps"])
  }

  @Test("every report has a name, a line and an explanation of its own")
  func list() throws {
    let names = ReportCatalog.standard.all.map { $0.name }
    #expect(Set(names).count == names.count)
    for report in ReportCatalog.standard.all {
      #expect(!report.abstract.isEmpty && !report.explanation.entries.isEmpty, "\(report.name)")
      #expect(try ReportCatalog.standard.named(report.name).name == report.name)
    }
  }
}
