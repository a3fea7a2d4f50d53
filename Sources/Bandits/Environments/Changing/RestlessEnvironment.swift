public import Specifications
public import Statistics

/// `restless:good=0.9;0.8,bad=0.1,rise=0.01,fall=0.01`: restless variants that switch between a good and a bad state,
/// chosen or not.
///
/// Each variant is a two-state Markov chain that starts in its stationary distribution; the chains are the same for all
/// policies.
public struct RestlessEnvironment: NoisyEnvironment {
  /// The mean of each variant in the good state.
  public var good: [Double] = []
  /// The mean in the bad state, for all variants or for each.
  public var bad = [0.0]
  /// The probability per step that a bad variant turns good, for all or for each.
  public var rise = [0.01]
  /// The probability per step that a good variant turns bad, for all or for each.
  public var fall = [0.01]
  /// The standard deviation of normal rewards around the mean; nil for rewards of 0 and 1.
  public var deviation: Double?
  public var specification = Self.info.specification()

  /// Creates the environment without the means that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "restless", "variants that switch between a good and a bad state",
    source: "Whittle 1988, Journal of Applied Probability 25A; Ortner, Ryabko, Auer and Munos 2014",
    example: "restless:good=0.9;0.8,bad=0.1")

  public static var parameters: [Field] {
    Field.numbers("good", \.good, "the mean of each variant in the good state, such as 0.9;0.8")
    Field.numbers("bad", \.bad, "the mean in the bad state, for all variants or for each")
    Field.numbers(
      "rise", \.rise, in: 0...1,
      "probability per step that a bad variant turns good, for all or for each")
    Field.numbers(
      "fall", \.fall, in: 0...1,
      "probability per step that a good variant turns bad, for all or for each")
    Field.noise(\.deviation)
  }

  public mutating func validate() throws(SpecificationError) {
    let count = try specification.numbers("good", in: noise.means).count
    if specification["bad"] != nil { _ = try specification.numbers("bad", in: noise.means) }
    for (key, values) in [("bad", bad), ("rise", rise), ("fall", fall)] {
      try specification.check(values, of: key, variants: count)
    }
  }

  private var chains: [RestlessPath.Chain] {
    let (bad, rise, fall) = (
      bad.each(of: good.count), rise.each(of: good.count), fall.each(of: good.count)
    )
    return good.indices.map {
      RestlessPath.Chain(good: good[$0], bad: bad[$0], rise: rise[$0], fall: fall[$0])
    }
  }

  var variantCount: Int { good.count }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    makeRun(RestlessPath(chains, Xoshiro256(key: key.adding("chains"))), key)
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
