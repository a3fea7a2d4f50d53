import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

/// Less latency is better, and more of a neutral metric is neither.
@Suite("Direction of a metric")
struct DirectionTests {
  /// Two variants of 300 units, of which one is above the other.
  private static let events =
    ComparedUnits.units("a", ["ms": (0..<300).map { 100 + Double($0 % 40) }])
    + ComparedUnits.units("b", ["ms": (0..<300).map { 120 + Double($0 % 40) }])

  private func row(
    _ metric: String, _ change: (inout ComparisonPlan) -> Void = { _ in }
  ) throws -> NamedRow {
    try ComparisonLog(Self.events).row(metric, change)
  }

  @Test(
    "the direction says whether higher is better, worse or neither",
    arguments: [
      ("reward", "better"), ("reward:direction=lower", "worse"), ("reward:direction=neutral", "higher"),
    ])
  func verdicts(metric: String, verdict: String) throws {
    for method in ComparisonMethod.allCases where !method.isOfProportions {
      let row = try row(metric) {
        $0.method = method
        if method == .msprt { $0.mixingVariance = 1 }
        if method == .groupSequential { $0.looks = .init(count: 1, look: 1) }
      }
      #expect(row.text("verdict") == verdict, "\(method)")
      #expect((row.number("difference") ?? 0) > 0)
      #expect(row.text("metric") == metric)
    }
  }

  @Test("chance and loss are those of the better side, and there are none without a side")
  func chances() throws {
    let (higher, lower) = try (row("reward"), row("reward:direction=lower"))
    let (up, down) = try (
      #require(higher.number("chance_to_win")), #require(lower.number("chance_to_win"))
    )
    #expect(abs(up + down - 1) < 1e-12 && up > 0.99)
    // One loses what the other gains: their difference is that of the means.
    let losses = try (
      #require(higher.number("expected_loss")), #require(lower.number("expected_loss"))
    )
    #expect(abs(losses.1 - losses.0 - 20) < 1e-9)
    let neutral = try row("reward:direction=neutral")
    #expect(neutral["chance_to_win"] == .empty && neutral["expected_loss"] == .empty)
  }

  @Test("a margin is on the worse side: the test of less is that of more with signs changed")
  func margin() throws {
    for margin in [5.0, 15, 19, 21, 25, 60] {
      let lower = try row("reward:direction=lower") { $0.margin = margin }
      #expect((lower.text("verdict") == "margin kept") == (margin > 22), "\(margin)")
      #expect(lower["ci_low"] == .empty && lower.number("ci_high") != nil)
      let swapped = Guardrail.nonInferiority(
        treatment: SampleMean(count: 300, mean: -139.5, variance: 100),
        control: SampleMean(count: 300, mean: -119.5, variance: 100), margin: margin)
      let own = Guardrail.nonInferiority(
        treatment: SampleMean(count: 300, mean: 139.5, variance: 100),
        control: SampleMean(count: 300, mean: 119.5, variance: 100), margin: margin,
        isLessBetter: true)
      #expect(abs((own.pValue ?? 2) - (swapped.pValue ?? 3)) < 1e-12)
    }
    #expect(throws: ReportError.self) {
      try ComparisonReport {
        $0.measures = MetricPlan([Metric(.reward, direction: .neutral)])
        $0.plan.margin = 1
      }
    }
  }

  @Test("the sentence says that less is better")
  func sentence() throws {
    let answer = try ComparisonLog(Self.events).table(["reward:direction=lower"]).answer
    #expect(answer.first?.hasPrefix("b is worse: above a on reward:direction=lower by +") == true)
    #expect(answer.first?.hasSuffix("where less is better.") == true)
  }

  @Test("a text of a metric reads back, and what a metric has not is refused")
  func texts() throws {
    for text in [
      "reward:direction=lower", "converted:goal=g,direction=neutral", "revenue:window=14d,cap=500",
      "revenue:cap=p99.9,covariate=14d",
      "ratio:of=revenue,over=conversions:goal=g,direction=lower,cap=2.5", "visits:direction=neutral",
    ] {
      let metric = try Metric(parsing: text)
      #expect(metric.description == text)
      #expect(try Metric(parsing: metric.definition) == metric)
    }
    #expect(try Metric(parsing: "reward:direction=higher").description == "reward")
    for wrong in [
      "reward:direction=up", "visits:window=7d", "converted:cap=3", "revenue:cap=0", "revenue:window=0",
      "revenue:goal=a,color=b",
    ] {
      #expect(throws: (any Error).self, "\(wrong)") { try Metric(parsing: wrong) }
    }
  }

  @Test("a guardrail of which less is better breaks when it is higher")
  func guardrail() throws {
    let plan = { (margin: String) in
      try AnalysisPlan(
        yaml: """
          experiments:
            e:
              metric: converted:goal=g
              guardrails: [{metric: "reward:goal=ms,direction=lower", margin: \(margin)}]
          """, path: "plan.yaml")
    }
    let events =
      ComparedUnits.units(
        "a", ["ms": (0..<400).map { 100 + Double($0 % 40) }, "g": (0..<400).map { $0 < 100 ? 1 : 0 }])
      + ComparedUnits.units(
        "b", ["ms": (0..<400).map { 120 + Double($0 % 40) }, "g": (0..<400).map { $0 < 400 ? 1 : 0 }])
    let log = try ComparisonLog(events)
    let broken = try DecisionReport(plan("5%")).table(of: LogReplay(log.reader, jobs: 2))
    #expect(broken.named.first?.text("recommendation") == "roll back")
    let kept = try DecisionReport(plan("50%")).table(of: LogReplay(log.reader, jobs: 2))
    #expect(kept.named.first?.text("recommendation") != "roll back")
    #expect(throws: ReportError.self) {
      try AnalysisPlan(
        yaml: "experiments: {e: {metric: \"reward:direction=neutral\"}}", path: "plan.yaml")
    }
  }
}

@Suite("Effects in segments")
struct SegmentAnswerTests {
  @Test("Cochran's Q is its definition, and is chi-squared where effects are the same")
  func cochran() throws {
    let test = try #require(EffectHomogeneity.cochran([(1, 1), (3, 1), (2, 0.5)]))
    // Weights 1, 1 and 4: the mean is 2, and the statistic 1 + 1 + 0.
    #expect(abs(test.statistic - 2) < 1e-12 && abs(test.pValue - 0.36787944117144233) < 1e-9)
    #expect(EffectHomogeneity.cochran([(1, 1)]) == nil && EffectHomogeneity.cochran([(1, 0), (2, 1)]) == nil)
    var random = SeededGenerator(seed: 12)
    let rejected = (0..<2_000).count { _ in
      let effects = (0..<4).map { _ in
        let error = 0.5 + Draw.unit(using: &random)
        return (estimate: Draw.normal(mean: 1, standardDeviation: error, using: &random), standardError: error)
      }
      return (EffectHomogeneity.cochran(effects)?.pValue ?? 1) < 0.05
    }
    #expect((60...140).contains(rejected), "\(rejected)")
  }

  @Test("the answer of a breakdown tells first whether effects differ between its values")
  func answer() throws {
    func units(_ variant: String, _ device: String, _ successes: Int) -> [Event] {
      (0..<400).flatMap { number -> [Event] in
        let unit = "\(variant)-\(device)-\(number)"
        var decision = Decision(experiment: "e", variant: VariantID(variant))
        decision.context = ["device": .text(device)]
        let event = Event(
          time: Timestamp(microseconds: ComparedUnits.day), unit: UnitID(unit), payload: .decision(decision))
        return [event] + (number < successes ? [ComparedUnits.goal(ComparedUnits.day, unit, 1)] : [])
      }
    }
    func answer(_ tablet: Int) throws -> [String] {
      let log = try ComparisonLog(
        units("a", "phone", 80) + units("b", "phone", 160) + units("a", "tablet", 80)
          + units("b", "tablet", tablet))
      return try log.table(["converted"], by: Dimension("context.device")).answer
    }
    let found = "The effect of b on converted in e differs between the 2 values of context.device"
    #expect(try answer(60)[1].hasPrefix(found))
    #expect(try answer(160)[1].hasPrefix("No sign that effects differ between values of context.device"))
  }
}
