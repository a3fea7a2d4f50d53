import EventLog
import Events
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

/// Every rule of the verdict has a small log that triggers it.
@Suite("What compare says of damaged data")
struct ComparisonVerdictTests {
  private static let day = ComparedUnits.day

  private static func event(_ time: Int64, _ unit: String, _ payload: Payload) -> Event {
    Event(time: Timestamp(microseconds: time), unit: UnitID(unit), payload: payload)
  }

  private static func decision(
    _ unit: String, _ variant: String, at time: Int64 = day, propensity: Double? = nil
  ) -> Event {
    event(
      time, unit,
      .decision(Decision(experiment: "e", variant: VariantID(variant), propensity: propensity)))
  }

  /// Units of control and new, so many of each, of which some convert: a difference that nothing speaks against.
  private static func healthy(_ count: Int = 400) -> [Event] {
    ComparedUnits.share("control", count / 4, of: count)
      + ComparedUnits.share("new", count / 2, of: count)
  }

  private func row(
    _ events: [Event], _ metric: String = "converted",
    _ change: (inout ComparisonPlan) -> Void = { _ in }
  ) throws -> NamedRow {
    let table = try report(events, [metric], change)
    return try #require(table.named.first)
  }

  private func report(
    _ events: [Event], _ metrics: [String], _ change: (inout ComparisonPlan) -> Void = { _ in }
  ) throws -> Table {
    var plan = ComparisonPlan()
    change(&plan)
    let log = try ComparisonLog(events)
    return try ComparisonReport {
      $0.measures = MetricPlan(try metrics.map { try Metric(parsing: $0) })
      $0.plan = plan
    }.table(of: LogReplay(log.reader, jobs: 2))
  }

  @Test("healthy data are read: the rule that decided is the reason, and there is no warning")
  func healthy() throws {
    let row = try row(Self.healthy())
    #expect(row.text("verdict") == "better")
    #expect(row.text("reason")?.hasPrefix("p_value: ") == true)
    #expect(row.text("reason")?.hasSuffix(" is below 0.05") == true)
    #expect(row["warnings"] == .empty)
  }

  @Test("a sample ratio mismatch forbids reading, by the logged propensities")
  func sampleRatio() throws {
    let shares = (0..<400).map { number in
      Self.decision(
        "u\(number)", number % 4 == 0 ? "new" : "control", propensity: number % 4 == 0 ? 0.25 : 0.75
      )
    }
    let goals = (0..<400).filter { $0 % 3 == 0 }.map { ComparedUnits.goal(Self.day, "u\($0)", 1) }
    #expect(try row(shares + goals).text("verdict") != "not valid")
    let equal = (0..<400).map { number in
      Self.decision("u\(number)", number % 4 == 0 ? "new" : "control", propensity: 0.5)
    }
    let row = try row(equal + goals)
    #expect(row.text("verdict") == "not valid")
    #expect(row.text("reason")?.hasPrefix("sample_ratio: sample ratio mismatch (p < 1e-9") == true)
  }

  @Test("units in several variants warn up to 1 %, and forbid reading above", arguments: [4, 9])
  func crossedUnits(count: Int) throws {
    let crossed = (0..<count).map { Self.decision("control\($0)", "new", at: 2 * Self.day) }
    let row = try row(Self.healthy() + crossed)
    let text = "crossed_units: \(count) of 800 units are in several variants"
    if count > 8 {
      #expect(row.text("verdict") == "not valid")
      #expect(row.text("reason")?.hasPrefix(text) == true)
    } else {
      #expect(row.text("verdict") == "better")
      #expect(row.text("warnings") == text + " (0.5 %)")
    }
  }

  @Test("units in several variants only warn where they stay with their first")
  func keptCrossedUnits() throws {
    let crossed = (0..<40).map { Self.decision("control\($0)", "new", at: 2 * Self.day) }
    let log = try ComparisonLog(Self.healthy() + crossed)
    var measures = MetricPlan([Metric(.converted)])
    measures.attribution.crossing = .first
    let table = try ComparisonReport { $0.measures = measures }.table(
      of: LogReplay(log.reader, jobs: 2))
    let row = try #require(table.named.first)
    #expect(row.text("verdict") == "better" && row.number("baseline_units") == 400)
    #expect(row.text("warnings") == "crossed_units: 40 of 800 units are in several variants (5 %)")
  }

  @Test("variants that differ before the first exposure forbid reading")
  func preExposure() throws {
    let before = (0..<300).map {
      Self.event(1, "new\($0)", .conversion(Conversion(goal: "c", revenue: 1)))
    }
    let other = (0..<20).map {
      Self.event(1, "control\($0)", .conversion(Conversion(goal: "c", revenue: 1)))
    }
    let row = try row(before + other + Self.healthy())
    #expect(row.text("verdict") == "not valid")
    let reason = "pre_exposure_conversions: the variants differ in conversions before the first exposure (p < 1e-9, "
    #expect(row.text("reason")?.hasPrefix(reason) == true, "\(row.text("reason") ?? "")")
  }

  @Test("late, orphan and duplicate goals warn, and only of metrics that count goals")
  func ledger() throws {
    let late = (0..<30).map { ComparedUnits.goal(Self.day, "new\($0)", 1, goal: "late") }
    let last = (0..<30).map { ComparedUnits.goal(3 * Self.day, "new\($0)", 1, goal: "last") }
    let lateRow = try row(Self.healthy() + last + late)
    #expect(lateRow.text("verdict") == "better")
    #expect(
      lateRow.text("warnings")
        == "late_events: 30 of 1160 events are behind a later one of their unit in the log (2.6 %)")
    let orphans = (0..<30).map { ComparedUnits.goal(Self.day, "nobody\($0)", 1) }
    let orphanRow = try row(Self.healthy() + orphans)
    #expect(orphanRow.text("warnings") == "orphan_goals: 30 of 330 goals have no decision (9.1 %)")
    #expect(try row(Self.healthy() + orphans, "decisions")["warnings"] == .empty)
    let twice = ComparedUnits.goal(Self.day, "new1", 1)
    #expect(
      try row(Self.healthy() + [twice]).text("warnings")
        == "duplicate_goals: 1 of 301 goals are duplicates (0.33 %)")
  }

  @Test(
    "a policy that learned or used context decides nothing: means are of different situations",
    arguments: [false, true])
  func adaptive(logsAll: Bool) throws {
    let events = (0..<600).flatMap { number -> [Event] in
      let share = number % 2 == 0 ? 0.4 : 0.6
      let isNew = number % 4 < 2
      var decision = Decision(experiment: "e", variant: isNew ? "new" : "control")
      if logsAll {
        (decision.choices, decision.probabilities) = (["control", "new"], [1 - share, share])
      } else {
        decision.propensity = isNew ? share : 1 - share
      }
      return [Self.event(Self.day, "u\(number)", .decision(decision))]
        + (number % 3 == 0 ? [ComparedUnits.goal(Self.day, "u\(number)", 1)] : [])
    }
    let row = try row(events)
    #expect(row.text("verdict") == "not compared")
    #expect(row.text("reason")?.hasPrefix("adaptive_policy: ") == true)
  }

  @Test(
    "a rate with few events is tested exactly, a mean by the variance of both; with few of both it is too early")
  func fewEvents() throws {
    let events =
      ComparedUnits.share("control", 1, of: 200) + ComparedUnits.share("new", 20, of: 200)
    let row = try row(events)
    #expect(row.text("verdict") == "better")
    #expect(row.text("method")?.hasPrefix("mid-p exact test") == true)
    #expect(row.text("warnings")?.hasPrefix("few_events: a variant has too few units") == true)
    // The rule of five is one of expected counts.
    let squared = try self.row(events) { $0.method = .chiSquared }
    #expect(squared.text("verdict") == "better")
    let few = ComparedUnits.share("control", 1, of: 200) + ComparedUnits.share("new", 8, of: 200)
    let early = try self.row(few) { $0.method = .chiSquared }
    #expect(early.text("verdict") == "too early" && (early.number("p_value") ?? 1) < 0.05)
    #expect(early.text("reason")?.hasPrefix("few_events: ") == true)
    let fisher = try self.row(events) { $0.method = .fisher }
    #expect(fisher.text("verdict") == "better" && fisher["warnings"] == .empty)
    let mean = try self.row(events, "reward")
    #expect(mean.text("verdict") == "better")
    #expect(mean.text("method")?.hasSuffix("at least the variance of both variants for few values") == true)
    #expect(mean.text("warnings")?.hasSuffix("so that both have at least that of all units") == true)
    let noMean = try self.row(few, "reward")
    #expect(noMean.text("verdict") == "too early")
    #expect(noMean.text("reason")?.hasSuffix("as expected of both together: too few for any test") == true)
  }

  @Test("refunds alone are values, and a rate of 0 says that they make no converter")
  func refunds() throws {
    let events =
      ComparedUnits.share("control", 0, of: 60) + ComparedUnits.share("new", 0, of: 60)
      + (0..<60).flatMap { number in
        ["control", "new"].filter { number % ($0 == "new" ? 2 : 4) == 0 }.map { variant in
          Self.event(
            2 * Self.day, "\(variant)\(number)",
            .conversion(Conversion(goal: "refund", revenue: 20 + Double(number), negative: true)))
        }
      }
    let revenue = try row(events, "revenue:goal=refund")
    #expect(revenue.text("reason")?.contains("few") != true, "\(revenue.text("reason") ?? "")")
    #expect(revenue.number("p_value") != nil)
    let rate = try row(events, "converted:goal=refund")
    #expect(
      rate.text("reason")
        == "no_variance: converted:goal=refund is 0 for every unit: its conversions are all negative, which make no "
        + "converter; ask for --metric revenue or --metric conversions, which vary")
  }

  @Test("a number of conversions says that refunds are among them, and revenue does not")
  func countedRefunds() throws {
    let events =
      ComparedUnits.share("control", 0, of: 60) + ComparedUnits.share("new", 0, of: 60)
      + (0..<60).flatMap { number in
        ["control", "new"].map { variant in
          Self.event(
            2 * Self.day, "\(variant)\(number)",
            .conversion(Conversion(goal: "order", revenue: number < 10 ? -5 : 20 + Double(number))))
        }
      }
    for metric in ["conversions", "ratio:of=revenue,over=conversions"] {
      let warnings = try row(events, metric).text("warnings") ?? ""
      #expect(warnings.contains("negative_conversions: refunds and other"), "\(metric): \(warnings)")
    }
    for metric in ["revenue", "converted"] {
      #expect(try row(events, metric).text("warnings")?.contains("negative_conversions") != true)
    }
  }

  @Test("a metric without variance names one that varies")
  func noVariance() throws {
    let decisions =
      ComparedUnits.share("control", 0, of: 60) + ComparedUnits.share("new", 0, of: 60)
    let conversions = (0..<60).flatMap { number in
      ["control", "new"].filter { _ in number % 3 == 0 }.map { variant in
        Self.event(
          2 * Self.day, "\(variant)\(number)",
          .conversion(Conversion(goal: "c", revenue: Double(number))))
      }
    }
    let row = try row(decisions + conversions, "reward")
    #expect(row.text("verdict") == "not compared")
    #expect(
      row.text("reason")
        == "no_variance: reward is 0 for every unit; ask for --metric converted or --metric revenue, which vary"
    )
    let nothing = try self.row(decisions, "reward")
    #expect(nothing.text("reason") == "no_variance: reward is 0 for every unit")
  }

  // MARK: The answer

  @Test("the answer of one comparison says who wins, by how much, and whether to read it")
  func answer() throws {
    let table = try report(Self.healthy(), ["converted"])
    #expect(
      table.answer == [
        "new beats control on converted by +100 % (95 % interval +65.7 % to +146 %, p < 1e-9).",
        "No data-quality check failed.",
      ])
    let mismatch =
      ComparedUnits.share("control", 100, of: 600) + ComparedUnits.share("x", 300, of: 400)
    #expect(
      try report(mismatch, ["converted"]).answer == [
        "e is not valid: sample ratio mismatch (p < 1e-9, limit 0.001): control has 600 units instead of 500, x has "
          + "400 units instead of 500."
      ])
    #expect(try report([], ["converted"]).answer.isEmpty)
  }

  @Test("the answer of several comparisons counts them, and then names the most important")
  func answers() throws {
    let other = (0..<60).map {
      ComparedUnits.decision(Self.day, "o\($0)", $0 % 2 == 0 ? "a" : "b", experiment: "other")
    }
    let broken = (0..<400).map {
      ComparedUnits.decision(Self.day, "b\($0)", $0 % 4 == 0 ? "a" : "b", experiment: "broken")
    }
    let answer = try report(Self.healthy() + other + broken, ["converted"]).answer
    #expect(answer.count == 3)
    #expect(
      answer.first
        == "Of 3 comparisons in 3 experiments, 1 is not valid, 1 was not compared, 1 is better.")
    #expect(answer[1].hasPrefix("broken is not valid: sample ratio mismatch"))
    #expect(answer[2].hasPrefix("e: new beats control on converted by +100 %"))
  }

  @Test("ranks and pooled variances judge by both variants together, also where one does not vary")
  func oneVaries() throws {
    let still = ComparedUnits.units("a", ["g": Array(repeating: 0, count: 100)])
    let moving = ComparedUnits.units("b", ["g": (0..<100).map { $0 < 40 ? Double($0 % 3 + 1) : 0 }])
    let log = try ComparisonLog(still + moving)
    for method in [ComparisonMethod.mannWhitney, .pooled, .welch, .z] {
      let row = try log.row("reward") { $0.method = method }
      #expect(row.text("verdict") == "better", "\(method)")
      #expect((row.number("p_value") ?? 1) < 1e-6)
    }
    // The error would be that of the other variant alone.
    let resampled = try log.row("reward") { $0.method = .bootstrap }
    #expect(resampled.text("verdict") == "not compared")
    #expect(resampled["ci_low"] == .empty && resampled["p_value"] == .empty)
    let constant = ComparedUnits.units("a", ["g": Array(repeating: 2, count: 100)])
    let alone = try ComparisonLog(constant + moving).row("reward")
    #expect(alone.text("verdict") == "not compared" && alone["p_value"] == .empty)
    // A goal of value 0 is no event where all are 0 or 1.
    let few = ComparedUnits.units("b", ["g": (0..<100).map { $0 < 9 ? 1 : 0 }])
    for method in [ComparisonMethod.mannWhitney, .pooled] {
      let early = try ComparisonLog(still + few).row("reward") { $0.method = method }
      #expect(early.text("reason")?.hasPrefix("few_events: ") == true, "\(method)")
    }
  }

  @Test("of variants that both do not vary no interval is given")
  func constants() throws {
    let units =
      ComparedUnits.units("a", ["g": Array(repeating: 3, count: 50)])
      + ComparedUnits.units("b", ["g": Array(repeating: 5, count: 50)])
    for method in [ComparisonMethod.welch, .pooled, .z, .bootstrap] {
      let row = try ComparisonLog(units).row("reward") { $0.method = method }
      #expect(row["ci_low"] == .empty && row["ci_high"] == .empty, "\(method)")
      #expect(row.text("reason")?.hasPrefix("no_variance: ") == true)
    }
    let ranks = try ComparisonLog(units).row("reward") { $0.method = .mannWhitney }
    #expect(ranks.text("verdict") == "better")
    // Of units without and with a value the variance of both together is one.
    let none =
      ComparedUnits.units("a", ["g": Array(repeating: 0, count: 50)])
      + ComparedUnits.units("b", ["g": Array(repeating: 1, count: 50)])
    #expect(try ComparisonLog(none).row("reward").text("verdict") == "better")
  }

  @Test("what is too early has no interval and no p-value in its sentence")
  func obstacles() throws {
    let events = ComparedUnits.share("a", 1, of: 200) + ComparedUnits.share("b", 8, of: 200)
    var plan = ComparisonPlan()
    plan.method = .pooledZ
    let answer = try ComparisonLog(events).table(["converted"], plan).answer
    #expect(answer.count == 1 && answer[0].contains("too early to tell b and a apart on converted: fewer"))
    #expect(!answer[0].contains("interval") && !answer[0].contains("p ="))
  }

  @Test("a share loses at most all of itself, and a posterior's lift is that of its difference")
  func shares() throws {
    let events = ComparedUnits.share("a", 4, of: 20) + ComparedUnits.share("b", 0, of: 20)
    let log = try ComparisonLog(events)
    for method in ComparisonMethod.allCases where method.isOfProportions || method.isBayesian {
      let row = try log.row("converted") { $0.method = method }
      guard let low = row.number("lift_ci_low"), let lift = row.number("lift"),
        let high = row.number("lift_ci_high")
      else { continue }
      #expect(low >= -1 && low <= lift && lift <= high, "\(method): \(low) \(lift) \(high)")
    }
  }
}
