import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("The report compare")
struct ComparisonReportTests {
  // MARK: What is compared with what

  @Test(
    "the baseline is the variant that its name says, else the first by bytes",
    arguments: [
      (["x", "control"], "control"), (["Baseline", "B"], "Baseline"), (["b", "A"], "A"),
      (["z", "Z"], "Z"), (["é", "z"], "z"), (["A", "Control", "baseline"], "Control"),
    ])
  func baseline(variants: [String], expected: String) throws {
    let events = variants.flatMap { ComparedUnits.units($0, ["g": [1, 2, 4]]) }
    let rows = try ComparisonLog(events).table(["reward"]).named
    #expect(rows.count == variants.count - 1)
    #expect(rows.allSatisfy { $0.text("baseline") == expected && $0.text("variant") != expected })
  }

  @Test("a missing baseline leaves out every comparison, with a status")
  func missingBaseline() throws {
    var plan = ComparisonPlan()
    plan.baseline = "c"
    let log = try ComparisonLog(
      ComparedUnits.units("a", ["g": [1, 2]]) + ComparedUnits.units("b", ["g": [1, 2]]))
    let rows = try log.table(["reward"], plan).named
    #expect(rows.map { $0.text("variant") } == ["a", "b"])
    #expect(rows.allSatisfy { $0.text("status") == "the baseline c has no units here" })
    #expect(rows.allSatisfy { $0["difference"] == .empty && $0.text("verdict") == "not compared" })
    #expect(rows.allSatisfy { $0.text("reason") == "no_test: the baseline c has no units here" })
  }

  @Test("variants whose names differ only in how an accent is written stay two")
  func accents() throws {
    let log = try ComparisonLog(
      ComparedUnits.units("caf\u{E9}", ["g": [1, 2]])
        + ComparedUnits.units("cafe\u{301}", ["g": [1, 2, 3]]))
    let rows = try log.table(["reward"]).named
    #expect(rows.count == 1)
    #expect(rows.first?.number("units") == 2 && rows.first?.number("baseline_units") == 3)
  }

  // MARK: Why a value is not there

  @Test("values that cannot be computed are empty, with the reason in the status")
  func reasons() throws {
    func status(
      _ a: [Double], _ b: [Double], _ metric: String = "reward",
      _ change: (inout ComparisonPlan) -> Void = { _ in }
    ) throws -> NamedRow {
      try ComparisonLog(
        ComparedUnits.units("a", ["g": a]) + ComparedUnits.units("b", ["g": b])
      ).row(metric, change)
    }
    let few = try status([1], [2, 3])
    #expect(few.text("status") == "too few units" && few["difference"] == .empty)
    #expect(few.number("baseline_mean") == 1)
    let still = try status([1, 1], [2, 2])
    #expect(still.text("status") == "no variance" && still["p_value"] == .empty)
    #expect(still.text("verdict") == "not compared" && still.number("difference") == 1)
    let zero = try status([1, -1], [2, 3])
    #expect(zero.text("status") == "the baseline's mean is zero: no lift")
    #expect(zero["lift"] == .empty && zero.number("p_value") != nil)
    #expect(
      try status([1, 2], [2, 3], "reward") { $0.method = .fisher }.text("status")
        == "the method is for metrics of 0 or 1")
    #expect(
      try status([1, 2], [2, 3], "ratio:of=reward,over=goals") { $0.method = .mannWhitney }
        .text("status") == "the method is not for ratios")
    #expect(
      try status([1, 2], [2, 3], "ratio:of=reward,over=conversions").text("status")
        == "the denominators add up to zero")
    #expect(
      try status([1e200, 2], [2, 3]).text("status") == "values too large")
    #expect(
      try status([1, 2], [2, 3]) { $0.covariate = .init(period: 5) }.text("status")
        == "the covariate does not vary")
    let alone = try ComparisonLog(ComparedUnits.units("a", ["g": [1, 2]])).row("reward")
    #expect(alone.text("status") == "no other variant" && alone.text("variant") == "a")
  }

  @Test("values whose squared variances overflow do not trap", arguments: ComparisonMethod.allCases)
  func huge(method: ComparisonMethod) throws {
    for scale in [1e-170, 1e-90, 1e90, 1e150] {
      for metric in ["reward", "converted"] {
        let log = try ComparisonLog(
          ComparedUnits.units("a", ["g": [scale, 2 * scale, 5 * scale]])
            + ComparedUnits.units("b", ["g": [4 * scale, 2 * scale]]))
        for lift in LiftMethod.allCases {
          let row = try log.row(metric) {
            $0.method = method
            $0.lift = lift
            if method == .welch { $0.margin = scale }
          }
          #expect(row.number("units") == 2)
        }
      }
    }
  }

  // MARK: Whether it can be trusted

  @Test("a sample ratio mismatch replaces every verdict")
  func sampleRatio() throws {
    let events =
      ComparedUnits.share("control", 100, of: 600) + ComparedUnits.share("x", 300, of: 400)
    let row = try ComparisonLog(events).row("converted")
    #expect(row.text("verdict") == "not valid")
    #expect(
      row.text("reason")
        == "sample_ratio: sample ratio mismatch (p < 1e-9, limit 0.001): control has 600 units instead of 500, x has "
        + "400 units instead of 500")
    row.expect(["srm_p_value": 2.5396e-10], within: 1e-4)
    let expected = try ComparisonLog(events).row("converted") {
      $0.expectedShares = ["control": 0.6, "x": 0.4]
    }
    #expect(expected.text("verdict") == "better" && expected.number("srm_p_value") == 1)
    let unknown = try ComparisonLog(events).row("converted") {
      $0.expectedShares = ["control": 0.6, "y": 0.4]
    }
    #expect(unknown["srm_p_value"] == .empty)
    let untested = try ComparisonLog(events).row("converted") { $0.testsSampleRatio = false }
    #expect(untested["srm_p_value"] == .empty && untested.text("verdict") == "better")
    let missing = try ComparisonLog(events).row("converted") {
      $0.expectedShares = ["control": 0.4, "x": 0.3, "y": 0.3]
    }
    #expect(missing.number("srm_p_value") ?? 1 < 1e-50)
  }

  @Test("a guardrail is kept when no more than the margin can have been lost")
  func margin() throws {
    let log = try ComparisonLog(
      ComparedUnits.units("a", ["g": [10, 11, 12, 13, 14]])
        + ComparedUnits.units("b", ["g": [10, 11, 12, 13, 13]]))
    let row = try log.row("reward") { $0.margin = 3 }
    #expect(row.text("verdict") == "margin kept")
    #expect(row.text("method") == "welch, non-inferiority, margin 3.0")
    #expect(
      try log.row("reward") { $0.margin = 0.1 }.text("verdict") == "margin not shown")
  }

  @Test("strata are weighted by their shares of all units; those that lack a group are merged")
  func postStratification() throws {
    /// Day, variant, values of its units.
    let cells: [(day: Int64, variant: String, values: [Double])] = [
      (1, "a", [1, 2, 3]), (1, "b", [2, 4]), (2, "a", [5, 7]), (2, "b", [6, 9, 9]),
      (3, "a", [1]), (4, "a", [3]), (4, "b", [8]), (5, "b", [6]),
    ]
    var events: [Event] = []
    for (day, variant, values) in cells {
      for (number, value) in values.enumerated() {
        let unit = "\(day)\(variant)\(number)"
        events.append(ComparedUnits.decision(day * ComparedUnits.day, unit, variant))
        events.append(ComparedUnits.goal(day * ComparedUnits.day, unit, value))
      }
    }
    var plan = ComparisonPlan()
    plan.isPostStratified = true
    let log = try ComparisonLog(events)
    let row = try #require(try log.table(["reward"], plan, by: .day).named.first)
    func mean(_ values: [Double]) -> SampleMean {
      SampleMean(Moments(values)) ?? SampleMean(count: 0, mean: .nan, variance: .nan)
    }
    let expected = try #require(
      PostStratification.compare([
        .init(share: 5, treatment: mean([2, 4]), control: mean([1, 2, 3])),
        .init(share: 5, treatment: mean([6, 9, 9]), control: mean([5, 7])),
        .init(share: 4, treatment: mean([8, 6]), control: mean([1, 3])),
      ]))
    #expect(row.number("difference") == expected.estimate)
    #expect(row.number("p_value") == expected.pValue)
    #expect(row.number("units") == 7 && row["status"] == .empty)
    #expect(row.text("method") == "post-stratified z" && row["lift"] == .empty)
    #expect(row["dimension"] == nil)
  }

  @Test("a breakdown has rows and a sample ratio of its own for each value")
  func breakdown() throws {
    let day = ComparedUnits.day
    var events: [Event] = []
    for number in 0..<12 {
      let time = Int64(1 + number / 6) * day
      events.append(ComparedUnits.decision(time, "u\(number)", number % 2 == 0 ? "a" : "b"))
      events.append(ComparedUnits.goal(3 * day, "u\(number)", Double(number)))
    }
    let rows = try ComparisonLog(events).table(["reward"], by: .day).named
    #expect(rows.map { $0.text("dimension_value") } == ["1970-01-02", "1970-01-03"])
    #expect(rows.map { $0.number("mean") } == [3, 9])
    #expect(rows.allSatisfy { $0.number("units") == 3 && $0.number("srm_p_value") == 1 })
  }

  // MARK: Golden

  @Test("a small report, to the byte")
  func golden() throws {
    let events =
      ComparedUnits.units("=1+1", ["g": [1, 3, 5]])
      + ComparedUnits.units("control, \"old\"", ["g": [1, 2, 3]])
      + [ComparedUnits.decision(1, "lonely", "b", experiment: "alone")]
    let table = try ComparisonLog(events).table(["reward"])
    let text = String(decoding: write(table, as: .csv), as: UTF8.self)
    #expect(text == Self.goldenText)
    #expect(table.note("units_assigned") == .integer(7))
    #expect(table.note("correction") == .text("none, over the 1 p-values of this report"))
    let empty = try ComparisonLog([]).table(["reward"])
    #expect(empty.rows.isEmpty)
    #expect(
      String(decoding: write(empty, as: .csv), as: UTF8.self)
        == Self.goldenText.split(separator: "\n")[0] + "\n")
  }

  private static let goldenText = #"""
    experiment,point,slot,metric,variant,verdict,lift,lift_ci_low,lift_ci_high,p_value,units,mean,difference,ci_low,ci_high,\#
    baseline,reason,warnings,variance,standard_deviation,baseline_units,baseline_mean,baseline_variance,standard_error,\#
    statistic,degrees_of_freedom,p_value_adjusted,chance_to_win,expected_loss,srm_p_value,status,method,lift_method,direction
    alone,point-1,decision-1,reward,b,not compared,,,,,1,0,,,,b,no_test: no other variant,,,,,,,,,,,,,,no other variant,welch,,higher
    e,point-1,decision-1,reward,"control, ""old""",too early,,,,0.4960553744585202,3,2,\#
    -1,-5.155399503182505,3.1553995031825046,=1+1,"few_events: fewer than 5 units have a value in a variant, as expected of both together: too few for any test",,\#
    1,1,3,3,4,\#
    1.2909944487358056,-0.7745966692414834,2.9411764705882355,0.4960553744585202,0.2192890130404999,1.162256276343593,1,\#
    the baseline's mean is too close to zero: no lift (its interval is unbounded),welch,,higher

    """#
}
