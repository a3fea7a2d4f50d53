@testable import OffPolicy
@testable import Statistics

/// Random decisions of a log with heavy weights, of which some are zero.
func randomDecisions(_ count: Int, using random: inout Xoshiro256) -> [LoggedDecision] {
  (0..<count).compactMap { _ in
    LoggedDecision(
      reward: Draw.normal(mean: 1, using: &random), propensity: Draw.openUnit(using: &random),
      target: Draw.bernoulli(0.3, using: &random) ? 0 : Draw.unit(using: &random),
      modelled: Draw.normal(using: &random), expected: Draw.normal(using: &random))
  }
}

/// The decisions split into units of 1 to `largest` decisions, of which most have one.
func randomUnits(
  _ decisions: [LoggedDecision], largest: Int, using random: inout Xoshiro256
) -> [[LoggedDecision]] {
  var units: [[LoggedDecision]] = []
  var rest = decisions[...]
  while !rest.isEmpty {
    let size =
      Draw.bernoulli(0.5, using: &random) ? 1 : 1 + Draw.index(below: largest, using: &random)
    units.append(Array(rest.prefix(size)))
    rest = rest.dropFirst(size)
  }
  return units
}

/// A log of three variants with known means, and a target policy of known value.
struct SimulatedLog {
  let logged: [Double]
  let target: [Double]
  let means: [Double]
  /// The model's prediction for each variant.
  var model = [0.0, 0, 0]

  static let standard = SimulatedLog(
    logged: [0.5, 0.3, 0.2], target: [0.2, 0.2, 0.6], means: [0.2, 0.5, 0.7],
    model: [0.3, 0.4, 0.6])

  /// The value of the target policy.
  var truth: Double { zip(target, means).reduce(0) { $0 + $1.0 * $1.1 } }

  /// Returns a decision with a Bernoulli reward.
  ///
  /// - Parameters:
  ///   - shift: What is added to the mean of the variant, for rewards of one unit that resemble each other.
  ///   - random: The generator.
  /// - Returns: The decision; nil never happens with valid probabilities.
  func decision(shift: Double = 0, using random: inout Xoshiro256) -> LoggedDecision? {
    let variant = Draw.index(weights: logged, using: &random)
    let reward = Draw.bernoulli(means[variant] + shift, using: &random) ? 1.0 : 0
    return LoggedDecision(
      reward: reward, propensity: logged[variant], target: target[variant],
      modelled: model[variant], expected: zip(target, model).reduce(0) { $0 + $1.0 * $1.1 })
  }
}
