public import Specifications
public import Statistics

/// `restless:good=0.9;0.8,bad=0.1,rise=0.01,fall=0.01`: restless variants that switch between a good and a bad state,
/// chosen or not.
///
/// Each variant is a two-state Markov chain that starts in its stationary distribution; the chains are the same for all
/// policies.
public struct RestlessEnvironment: Environment {
  private static let rise = Parameter.numbers(
    "rise", default: 0.01, in: 0...1,
    "probability per step that a bad variant turns good, for all or for each")
  private static let fall = Parameter.numbers(
    "fall", default: 0.01, in: 0...1,
    "probability per step that a good variant turns bad, for all or for each")

  public static let info = SpecificationInfo(
    "restless", "variants that switch between a good and a bad state",
    [
      SpecificationInfo.Parameter(
        "good", nil, "the mean of each variant in the good state, such as 0.9;0.8"),
      SpecificationInfo.Parameter(
        "bad", "0", "the mean in the bad state, for all variants or for each"),
      rise, fall,
      RewardNoise.parameter,
    ],
    source: "Whittle 1988, Journal of Applied Probability 25A; Ortner, Ryabko, Auer and Munos 2014")

  public let specification: Specification
  private let noise: RewardNoise
  private let chains: [RestlessPath.Chain]

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    good: [Double], bad: [Double]? = nil, rise: [Double]? = nil, fall: [Double]? = nil,
    deviation: Double? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        .init(key: "good", value: good.specificationText),
        bad.map { .init(key: "bad", value: $0.specificationText) }, Self.rise.written(rise),
        Self.fall.written(fall), RewardNoise.parameter.written(deviation)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    noise = try RewardNoise(specification)
    let good = try specification.numbers("good", in: noise.means)
    let count = good.count
    let bad = try specification.numbers("bad", default: 0, variants: count, in: noise.means)
    let rise = try Self.rise.value(in: specification, variants: count)
    let fall = try Self.fall.value(in: specification, variants: count)
    chains = good.indices.map {
      RestlessPath.Chain(good: good[$0], bad: bad[$0], rise: rise[$0], fall: fall[$0])
    }
  }

  public func problem(horizon: Int) -> Problem {
    Problem(variants: chains.count, horizon: horizon, rewards: noise.rewards)
  }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    let path = RestlessPath(chains, Xoshiro256(key: key.adding("chains")))
    return .changing(MovingRun(path, variants: chains.count, noise, RewardStream(key)))
  }
}

/// A two-state Markov chain for each mean.
struct RestlessPath: MeanPath {
  struct Chain: Sendable {
    let good: Double
    let bad: Double
    let rise: Double
    let fall: Double

    /// The stationary probability of the good state; one half if the chain never changes.
    var share: Double { rise + fall > 0 ? rise / (rise + fall) : 0.5 }
  }

  private let chains: [Chain]
  private var isGood: [Bool]
  private var random: Xoshiro256

  init(_ chains: [Chain], _ random: Xoshiro256) {
    self.chains = chains
    self.random = random
    isGood = [Bool](repeating: false, count: chains.count)
  }

  mutating func move(_ means: inout [Double], to step: Int) {
    for (variant, chain) in chains.enumerated() {
      let u = Draw.unit(using: &random)
      if step == 0 {
        isGood[variant] = u < chain.share
      } else {
        isGood[variant] = isGood[variant] ? u >= chain.fall : u < chain.rise
      }
      means[variant] = isGood[variant] ? chain.good : chain.bad
    }
  }
}
