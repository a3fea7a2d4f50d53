import Bandits
import Events
import TestSupport

@testable import EventLog
@testable import OffPolicy
@testable import Replay

/// Learning from a log by the words of its definition: policies are learned from lists of decisions, fold by fold.
struct NaiveLearning {
  struct Row {
    var unit: String
    var time: Int64
    var device: String
    var variant: Int
    var propensity: Double
    var reward: Double

    var fold: Int {
      CrossFitting.fold(of: StableHash.of(ArraySlice(unit.utf8)), among: NaiveLearning.folds)
    }
  }

  static let folds = 3
  static let variants = ["v0", "v1", "v2"]

  let training: [Row]
  let held: [Row]

  /// Decisions of some units for one of three variants, with rewards that depend on the device.
  static func events(_ random: inout SeededGenerator, count: Int) -> [Event] {
    var events: [Event] = []
    for step in 0..<count {
      let unit = "u\(random.index(count / 2))"
      let chosen = random.index(3)
      let device = ["tv", "phone"][random.index(2)]
      let decision = Decision(
        experiment: "e", variant: VariantID(variants[chosen]),
        choices: variants.map { VariantID($0) }, propensity: [0.5, 0.25, 0.125][random.index(3)],
        context: ["device": .text(device)])
      let time = Int64(10 * step + random.index(30))
      events.append(event(time, unit, .decision(decision)))
      if random.chance((device == "tv") == (chosen == 0) ? 0.8 : 0.3) {
        events.append(goal(time + 1, unit, Double(1 + random.index(4)) / 2))
      }
    }
    return events.shuffled(using: &random)
  }

  init(_ events: [Event], heldShare: Double) {
    let rows = NaiveRewards(events).decisions.map { counted in
      var device = ""
      if case .text(let text)? = counted.decision.context?["device"] { device = text }
      return Row(
        unit: counted.unit, time: counted.moment.0, device: device,
        variant: Self.variants.firstIndex(of: counted.key.variant) ?? 0,
        propensity: counted.propensity ?? 0, reward: counted.sum)
    }
    let times = rows.map(\.time).sorted()
    let since = times[times.count - Int((heldShare * Double(times.count)).rounded())]
    training = rows.filter { $0.time < since }
    held = rows.filter { $0.time >= since }
  }

  /// The mean reward of a variant without a fold, with one reward of 1 in four decisions before.
  private func model(_ variant: Int, without fold: Int) -> Double {
    let own = training.filter { $0.variant == variant && $0.fold != fold }
    return (own.reduce(0) { $0 + $1.reward } + 1) / Double(own.count + 4)
  }

  private func map(_ specification: FeatureSpecification) throws -> FeatureMap {
    var survey = FeatureSurvey(specification)
    for row in training {
      survey.add(
        specification.sources.enumerated().map {
          survey.cell(Self.value(row, row.variant, $1), of: $0)
        })
    }
    return try FeatureMap(survey)
  }

  private static func value(_ row: Row, _ variant: Int, _ source: FeatureSource) -> FeatureValue {
    .text(source == .variant ? variants[variant] : row.device)
  }

  private static func features(_ row: Row, _ map: FeatureMap) -> [FeatureVector] {
    (0..<(map.specification.isShared ? 1 : 3)).map { variant in
      var vector = FeatureVector()
      map.write(
        map.specification.sources.enumerated().map {
          map.cell(value(row, variant, $1), of: $0)
        }, into: &vector)
      return vector
    }
  }

  /// The policy that a candidate learns without a fold, or from all training decisions.
  func policy(_ candidate: LearningPlan.Candidate, without fold: Int?) throws -> LearnedPolicy {
    let map = try map(candidate.features)
    let problem = PolicyProblem(slots: ["decision-1"], variants: Self.variants, map: map)
    return try candidate.learner.learn(problem) { body in
      for row in training where row.fold != fold {
        var decision = LearningDecision()
        (decision.choices, decision.chosen) = ([0, 1, 2], row.variant)
        (decision.propensity, decision.reward) = (row.propensity, row.reward)
        decision.modelled = (0..<3).map { model($0, without: fold ?? row.fold) }
        decision.features = Self.features(row, map)
        body(decision)
      }
    }
  }

  /// The doubly robust value of policies by fold on some decisions.
  func value(_ rows: [Row], _ policy: (Int) -> LearnedPolicy) -> Double {
    var sum = 0.0
    for row in rows {
      let policy = policy(row.fold)
      var probabilities: [Double] = []
      policy.probabilities(
        slot: 0, choices: [0, 1, 2], Self.features(row, policy.problem.map), into: &probabilities)
      for variant in 0..<3 {
        sum += probabilities[variant] * model(variant, without: row.fold)
      }
      sum +=
        probabilities[row.variant] / row.propensity
        * (row.reward - model(row.variant, without: row.fold))
    }
    return sum / Double(rows.count)
  }
}
