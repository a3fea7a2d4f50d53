import Bandits
import Specifications
import Statistics

/// `weekend:rate=0.6`: of two variants one pays on five days of the week, the other on two.
struct WeekendEnvironment: Environment {
  /// The probability of a reward on a good day.
  var rate = 0.6
  var specification = Self.info.specification()

  static let info = SpecificationInfo(
    "weekend", "two variants that pay on different days", source: "an example",
    example: "weekend:rate=0.6")

  static var parameters: [Field] {
    Field.number("rate", \.rate, in: 0...1, "the probability of a reward on a good day, {range}")
  }

  var variantNames: [String] { ["workdays", "weekend"] }

  func problem(horizon: Int) -> Problem { Problem(variants: 2, horizon: horizon, rewards: 0...1) }

  func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(WeekendRun(rate: rate, stream: RewardStream(key)))
  }
}

/// The week of a run: each step is a day, the first one a Monday.
private struct WeekendRun: ChangingRun {
  let rate: Double
  let stream: RewardStream
  var day = 0

  var variantCount: Int { 2 }
  var optimum: Double { rate }

  mutating func begin(_ step: Int) { day = step }

  func mean(_ variant: Int) -> Double { (day % 7 >= 5) == (variant == 1) ? rate : 0 }

  mutating func reward(_ variant: Int) -> Double {
    // The number of the draw decides, so that policies see the same rewards whatever they chose before.
    var generator = stream.generator(UInt64(2 * day + variant))
    return Draw.bernoulli(mean(variant), using: &generator) ? 1 : 0
  }
}
