public import Specifications
public import Statistics

/// `rotting:means=0.9;0.8,rates=0.5`: the mean of a variant decays each time it is chosen, and stays otherwise.
///
/// After n choices of the variant its mean is mean·(1 + n)^(−rate) with `decay=power`, mean − rate·n with
/// `decay=linear`, and mean·e^(−rate·n) with `decay=exponential`; never below `low`. As means never rise, always
/// choosing the variant with the largest mean is optimal (Heidari, Kearns and Roth 2016), and the regret is measured
/// against it: the optimum of a step is the mean that this greedy policy gets there after its own choices, not after
/// the choices that were made. It may lie below the mean of the choice.
public struct RottingEnvironment: NoisyEnvironment {
  /// How means decay with the number n of choices.
  public enum Shape: String, CaseIterable, Sendable {
    /// By a power of n.
    case power
    /// By a constant amount per choice.
    case linear
    /// By a constant factor per choice.
    case exponential
  }

  /// The mean of each variant before its first choice.
  public var means: [Double] = []
  /// The decay rate, for all variants or for each.
  public var rates = [0.5]
  /// How the means decay with the number of choices.
  public var decay = Shape.power
  /// No mean falls below this one.
  public var low = 0.0
  /// The standard deviation of normal rewards around the mean; nil for rewards of 0 and 1.
  public var deviation: Double?
  public var specification = Self.info.specification()

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "rotting", "means that decay each time a variant is chosen",
    source: "Levine, Crammer and Mannor 2017; Heidari, Kearns and Roth 2016",
    example: "rotting:means=0.5;0.9,rates=0.5,decay=power")

  public static var parameters: [Field] {
    Field.numbers("means", \.means, "the mean of each variant before its first choice")
    Field.numbers(
      "rates", \.rates, in: 0...1e6, "decay rate, for all variants or for each, {range}")
    Field.word(
      "decay", \.decay,
      "decay of the means with the number of choices: power, linear or exponential")
    Field(SpecificationInfo.Parameter("low", "0", "no mean falls below this one")) {
      _, _, _ in
    } write: {
      Specification.Parameter(key: "low", number: $0.low).value
    }
    Field.noise(\.deviation)
  }

  /// Checks the means and reads their bound, whose range depends on the noise.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public mutating func validate() throws(SpecificationError) {
    low = try specification.number("low", default: 0, in: noise.means)
    _ = try specification.numbers("means", in: low...noise.means.upperBound)
    guard low >= 0 || decay == .linear else {
      throw SpecificationError(
        "low=\(low) of rotting is only reached by decay=linear: the others fall towards 0")
    }
    try specification.check(rates, of: "rates", variants: means.count)
  }

  public var rewardsDependOnChoices: Bool { true }

  var variantCount: Int { means.count }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    let decay = Decay(shape: decay, means: means, rates: rates.each(of: means.count), low: low)
    return .changing(RottingRun(decay, noise, RewardStream(key)))
  }

  /// The decay of the means.
  fileprivate struct Decay: Sendable {
    let shape: Shape
    let means: [Double]
    let rates: [Double]
    let low: Double

    /// Returns the mean of a variant after a number of choices of it; nonincreasing in that number.
    func mean(_ variant: Int, after choices: Int) -> Double {
      let (start, rate, n) = (means[variant], rates[variant], Double(choices))
      return switch shape {
      case .power: max(low, start * Double.exp(-rate * Double.log(onePlus: n)))
      case .linear: max(low, start - rate * n)
      case .exponential: max(low, start * Double.exp(-rate * n))
      }
    }
  }
}

/// A run in which choices wear variants out.
private struct RottingRun: ChangingRun {
  private let decay: RottingEnvironment.Decay
  private let noise: RewardNoise
  private let stream: RewardStream
  private var choices: [Int]
  private var means: [Double]
  /// The choices and means of the greedy policy.
  private var greedyChoices: [Int]
  private var greedyMeans: [Double]
  private var step = 0
  private(set) var optimum = 0.0

  init(_ decay: RottingEnvironment.Decay, _ noise: RewardNoise, _ stream: RewardStream) {
    self.decay = decay
    self.noise = noise
    self.stream = stream
    choices = [Int](repeating: 0, count: decay.means.count)
    means = decay.means
    greedyChoices = choices
    greedyMeans = means
  }

  var variantCount: Int { means.count }

  mutating func begin(_ step: Int) {
    self.step = step
    let best = greedyMeans.indices.largest { greedyMeans[$0] }
    optimum = greedyMeans[best]
    greedyChoices[best] += 1
    greedyMeans[best] = decay.mean(best, after: greedyChoices[best])
  }

  func mean(_ variant: Int) -> Double { means[variant] }

  mutating func reward(_ variant: Int) -> Double {
    let number = UInt64(truncatingIfNeeded: step &* means.count &+ variant)
    let reward = noise.reward(means[variant], stream, number)
    choices[variant] += 1
    means[variant] = decay.mean(variant, after: choices[variant])
    return reward
  }
}
