import TestSupport

@testable import Bandits
@testable import OffPolicy

/// A simulated log whose best policy is known: three variants, and a context of a country and an age.
struct ContextualLog {
  static let variants = ["A", "B", "C"]
  static let countries = ["de", "fr", "us"]

  struct Row {
    var country: Int
    var age: Double
    var chosen: Int
    var propensity: Double
    var reward: Double
  }

  var rows: [Row] = []

  /// The mean reward: `fr` prefers B; elsewhere the young prefer A, the old C.
  static func mean(_ country: Int, _ age: Double, _ variant: Int) -> Double {
    let best = country == 1 ? 1 : age < 40 ? 0 : 2
    return variant == best ? 0.7 : 0.3
  }

  /// The logging policy prefers C, the more the older the unit.
  static func propensities(_ age: Double) -> [Double] {
    [0.3, 0.4 - age / 400, 0.3 + age / 400]
  }

  init(_ count: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<count {
      let (country, age) = (random.index(3), Double(18 + random.index(60)))
      let propensities = Self.propensities(age)
      let draw = Double.random(in: 0..<1, using: &random)
      let chosen = draw < propensities[0] ? 0 : draw < propensities[0] + propensities[1] ? 1 : 2
      let reward: Double = random.chance(Self.mean(country, age, chosen)) ? 1 : 0
      rows.append(
        Row(
          country: country, age: age, chosen: chosen, propensity: propensities[chosen],
          reward: reward))
    }
  }

  /// The map of features of all rows and variants.
  func map(_ features: String) throws -> FeatureMap {
    let specification = try FeatureSpecification(parsing: features)
    var survey = FeatureSurvey(specification)
    for row in rows {
      for variant in 0..<3 {
        survey.add(
          specification.sources.enumerated().map {
            survey.cell(Self.value(row, variant, $1), of: $0)
          })
      }
    }
    return try FeatureMap(survey)
  }

  private static func value(_ row: Row, _ variant: Int, _ source: FeatureSource) -> FeatureValue {
    switch source.description {
    case "country": .text(countries[row.country])
    case "age": .number(row.age)
    case "old": .flag(row.age >= 40)
    case "variant": .text(variants[variant])
    default: .text("s")
    }
  }

  static func features(_ row: Row, _ map: FeatureMap) -> [FeatureVector] {
    let isShared = map.specification.isShared
    return (0..<(isShared ? 1 : 3)).map { variant in
      var vector = FeatureVector()
      map.write(
        map.specification.sources.enumerated().map {
          map.cell(value(row, variant, $1), of: $0)
        }, into: &vector)
      return vector
    }
  }

  /// The decisions, with the predictions of a model that is a little wrong.
  func decisions(_ map: FeatureMap) -> [LearningDecision] {
    rows.map { row in
      var decision = LearningDecision()
      decision.choices = [0, 1, 2]
      (decision.chosen, decision.propensity) = (row.chosen, row.propensity)
      decision.reward = row.reward
      decision.modelled = (0..<3).map { 0.9 * Self.mean(row.country, row.age, $0) + 0.02 }
      decision.features = Self.features(row, map)
      return decision
    }
  }

  /// The true value of a policy on these contexts; the best has 0.7, the uniform one 0.433.
  func value(_ policy: LearnedPolicy) -> Double {
    var probabilities: [Double] = []
    var sum = 0.0
    for row in rows {
      policy.probabilities(
        slot: 0, choices: [0, 1, 2], Self.features(row, policy.problem.map), into: &probabilities)
      for variant in 0..<3 {
        sum += probabilities[variant] * Self.mean(row.country, row.age, variant)
      }
    }
    return sum / Double(rows.count)
  }

  func problem(_ features: String) throws -> PolicyProblem {
    PolicyProblem(slots: ["s"], variants: Self.variants, map: try map(features))
  }
}

extension PolicyLearner {
  /// Learns from parts in random order.
  func learn(
    _ problem: PolicyProblem, _ decisions: [LearningDecision], parts: Int = 1,
    _ random: inout SeededGenerator
  ) throws -> LearnedPolicy {
    var fit = try makeFit(problem)
    repeat {
      var pieces = (0..<parts).map { _ in fit.emptyPart as any PolicyFit }
      for decision in decisions.shuffled(using: &random) {
        pieces[random.index(parts)].add(decision)
      }
      for piece in pieces { fit.merge(any: piece) }
    } while try fit.finishPass()
    return fit.fitted()
  }
}
