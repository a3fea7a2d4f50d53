import Bandits
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay

/// The value of a policy by the words of its definition, for one experiment.
private struct NaiveEvaluation {
  struct Row {
    var place: [String]
    var variant: String
    var choices: [String]
    var device: AttributeValue?
    var logged: [Double]?
    var propensity: Double
    var reward: Double
  }

  var rows: [Row] = []

  init(_ events: [Event], experiment: String) {
    for counted in NaiveRewards(events).decisions where counted.key.experiment == experiment {
      let choices = counted.decision.choices?.map(\.rawValue) ?? []
      guard let propensity = counted.propensity,
        choices.isEmpty || choices.contains(counted.key.variant)
      else { continue }
      rows.append(
        Row(
          place: [counted.key.point, counted.key.slot], variant: counted.key.variant,
          choices: choices, device: counted.decision.context?["device"],
          logged: counted.decision.probabilities, propensity: propensity, reward: counted.sum))
    }
    for index in rows.indices where rows[index].choices.isEmpty {
      rows[index].choices = Set(
        rows.filter { $0.place == rows[index].place }.map(\.variant)
      ).sorted()
    }
  }

  /// The mean reward of a variant at a row's place, with one reward of 1 in four decisions before.
  func tabular(_ row: Row, _ variant: String) -> Double {
    let own = rows.filter { $0.variant == variant && $0.place == row.place }
    return (own.reduce(0) { $0 + $1.reward } + 1) / Double(own.count + 4)
  }

  /// The values of ips, snips, dm and dr; nil where there are none.
  func values(
    _ model: (Row, String) -> Double, isLogged: Bool = false, _ policy: (Row) -> [String: Double]?
  ) -> [Double?] {
    var (count, weights, weighted, direct, robust) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for row in rows {
      guard let probabilities = policy(row) else { continue }
      let isKnown = row.logged != nil || !isLogged
      let weight = isKnown ? (probabilities[row.variant] ?? 0) / row.propensity : 1
      let expected = row.choices.reduce(0) { $0 + (probabilities[$1] ?? 0) * model(row, $1) }
      count += 1
      weights += weight
      weighted += weight * row.reward
      direct += expected
      robust += expected + weight * (row.reward - model(row, row.variant))
    }
    guard count > 0 else { return [nil, nil, nil, nil] }
    return [
      weighted / count, weights > 0 ? weighted / weights : nil, direct / count, robust / count,
    ]
  }
}

@Suite("Off-policy evaluation of a log")
struct OffPolicyEvaluationTests {
  private static let table = """
    device,variant,probability
    tv,v0,0.25
    tv,v2,0.75
    2,v1,1
    ,v0,0.5
    ,v1,0.5
    """

  private func plan() throws -> OffPolicyPlan {
    let policies = [
      "uniform", "fixed:variant=v1", "weights:v0=1;v1=3", "logged", "table:path=t.csv",
    ]
    return OffPolicyPlan(
      policies: try policies.map {
        try TargetPolicyCatalog.standard.named($0) { _ throws(SpecificationError) in Self.table }
      },
      estimators: try ["ips", "snips", "dm", "dr"].map { try EstimatorCatalog.standard.named($0) },
      rewardModel: try TabularRewards { ($0.priorSum, $0.priorCount) = (1, 4) })
  }

  /// The policies of the plan by their words.
  private static let naive: [@Sendable (NaiveEvaluation.Row) -> [String: Double]?] = [
    { row in Dictionary(row.choices.map { ($0, 1 / Double(row.choices.count)) }) { $1 } },
    { row in row.choices.contains("v1") ? ["v1": 1] : [:] },
    { row in
      let weights = ["v0": 1.0, "v1": 3.0].filter { row.choices.contains($0.key) }
      let sum = weights.values.reduce(0, +)
      return weights.mapValues { $0 / sum }
    },
    // The choice stands for probabilities that were not logged, with weight 1.
    { row in
      row.logged.map { Dictionary(zip(row.choices, $0)) { $1 } } ?? [row.variant: 1]
    },
    { row in
      switch row.device {
      case .text("tv"): ["v0": 0.25, "v2": 0.75].filter { row.choices.contains($0.key) }
      case .number(2): ["v1": 1].filter { row.choices.contains($0.key) }
      case nil: ["v0": 0.5, "v1": 0.5].filter { row.choices.contains($0.key) }
      default: nil
      }
    },
  ]

  @Test(
    "is that of the definition, for any order and number of threads",
    arguments: LongTests.twins)
  func values(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.situations(&random, count: 120)
    let naive = NaiveEvaluation(events, experiment: "e0")
    let plan = try plan()
    var first: [[Double?]]?
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      guard let experiment = log.names.code(of: "e0", in: .experiments) else { return }
      let evaluation = try form.replay(log).evaluate(UnitSelection(), experiment: experiment, plan)
      #expect(evaluation.ledger.decisions == naive.rows.count, "seed \(seed)")
      let found = evaluation.policies.map { $0.estimates.map(\.sums.value) }
      // A choice that was not logged is one of any decision at the place, so codes may differ, and nothing else.
      if let first { #expect(found == first, "seed \(seed), \(form)") }
      first = found
      for (policy, values) in found.enumerated() {
        var expected = naive.values(
          naive.tabular, isLogged: policy == 3, Self.naive[policy])
        if evaluation.policies[policy].isAbsent {
          // None of its variants is there: it would have earned nothing, and has no value.
          #expect(expected.allSatisfy { $0 ?? 0 == 0 }, "seed \(seed), policy \(policy)")
          expected = [nil, nil, nil, nil]
        }
        for (value, wanted) in zip(values, expected) {
          #expect((value == nil) == (wanted == nil), "seed \(seed), policy \(policy)")
          if let value, let wanted {
            #expect(abs(value - wanted) < 1e-12, "seed \(seed), policy \(policy)")
          }
        }
      }
    }
  }

  @Test("folds predict without the unit's own rewards")
  func folds() throws {
    // Two units: whatever the fold, the model of the one has seen at most the other.
    let events = [
      decision(1, "a", "v0", propensity: 0.5), goal(2, "a", 1),
      decision(3, "b", "v0", propensity: 0.5), goal(4, "b", 3),
    ]
    let log = try WorldLog(events)
    let experiment = try #require(log.names.code(of: "e", in: .experiments))
    var plan = try plan()
    plan.rewardModel = try TabularRewards { ($0.priorSum, $0.priorCount) = (0, 0) }
    plan.estimators = [try EstimatorCatalog.standard.named("dm")]
    plan.folds = 100
    let evaluation = try LogReplay(log.reader).evaluate(
      UnitSelection(), experiment: experiment, plan)
    // The model of a has b's reward, and the other way around.
    #expect(evaluation.policies[0].estimates[0].sums.value == 2)
  }

  @Test("reward models see the features of each decision", arguments: LongTests.chunks(15, of: 60))
  func features(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = SmallWorld.situations(&random, count: 120)
    let naive = NaiveEvaluation(events, experiment: "e0")
    // A feature that no decision of the experiment has is refused.
    guard naive.rows.contains(where: { $0.device != nil }) else { return }
    var plan = try plan()
    plan.policies = Array(plan.policies[0...1])
    plan.rewardModel = try RewardModelCatalog.standard.named("linear:lambda=2")
    plan.features = try FeatureSpecification(
      parsing: "one-hot(slot)+one-hot(device)+cross(variant,device)+number(device)")
    let model = try NaiveFeatures(naive.rows, plan)
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      guard let experiment = log.names.code(of: "e0", in: .experiments) else { return }
      let evaluation = try form.replay(log).evaluate(UnitSelection(), experiment: experiment, plan)
      for policy in plan.policies.indices {
        let found = evaluation.policies[policy].estimates.map(\.sums.value)
        let isAbsent = evaluation.policies[policy].isAbsent
        let expected = isAbsent ? [nil, nil, nil, nil] : naive.values(model.reward, Self.naive[policy])
        for (value, wanted) in zip(found, expected) {
          #expect((value == nil) == (wanted == nil), "seed \(seed), policy \(policy)")
          if let value, let wanted {
            #expect(abs(value - wanted) < 1e-9, "seed \(seed), policy \(policy)")
          }
        }
      }
    }
  }
}

/// A reward model fitted to rows one by one.
private struct NaiveFeatures {
  let map: FeatureMap
  let variants: [String]
  let slots: [String]
  var model: (any FittedRewardModel)?

  init(_ rows: [NaiveEvaluation.Row], _ plan: OffPolicyPlan) throws {
    var survey = FeatureSurvey(plan.features)
    for row in rows {
      survey.add(
        plan.features.sources.enumerated().map {
          survey.cell(Self.value(row, row.variant, $1), of: $0)
        })
    }
    map = try FeatureMap(survey)
    variants = Set(rows.flatMap { $0.choices + [$0.variant] }).sorted()
    slots = Set(rows.map { $0.place[1] }).sorted()
    let problem = RewardProblem(
      slots: slots.count, variants: variants.count, columns: map.columnCount)
    var fit = try plan.rewardModel.makeFit(problem)
    repeat {
      for row in rows {
        fit.add(RewardRow(slot: 0, variant: 0, reward: row.reward), vector(row, row.variant))
      }
    } while try fit.finishPass()
    model = try fit.fitted()
  }

  static func value(
    _ row: NaiveEvaluation.Row, _ variant: String, _ source: FeatureSource
  ) -> FeatureValue? {
    switch source {
    case .slot: .text(row.place[1])
    case .variant: .text(variant)
    case .context("device"): row.device.map { FeatureValue($0) }
    default: nil
    }
  }

  func vector(_ row: NaiveEvaluation.Row, _ variant: String) -> FeatureVector {
    var vector = FeatureVector()
    map.write(
      map.specification.sources.enumerated().map {
        map.cell(Self.value(row, variant, $1), of: $0)
      }, into: &vector)
    return vector
  }

  func reward(_ row: NaiveEvaluation.Row, _ variant: String) -> Double {
    model?.reward(of: 0, in: 0, vector(row, variant)) ?? .nan
  }
}
