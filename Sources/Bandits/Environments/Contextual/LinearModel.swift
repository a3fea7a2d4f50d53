internal import Specifications
internal import Statistics

/// Whether the contexts or the weights of a linear environment are shared by the variants.
public enum LinearContexts: String, CaseIterable, Sendable {
  /// One context for each decision, and weights for each variant.
  case shared
  /// A context for each variant at each decision, and the same weights for all variants.
  case variants
}

/// Contexts and weights on the unit sphere, and means that are a function of their inner products.
struct LinearModel: Sendable {
  /// The link function from x·θ to the mean.
  enum Link: Sendable {
    case identity
    case logistic(scale: Double, intercept: Double)

    func mean(_ product: Double) -> Double {
      switch self {
      case .identity: product
      case .logistic(let scale, let intercept): 1 / (1 + Double.exp(-(scale * product + intercept)))
      }
    }
  }

  static let variants = Parameter.integer(
    "variants", default: 10, in: 1...1000, "number of variants, {range}")
  static let features = Parameter.integer(
    "features", default: 10, in: 1...1000, "number of features of a context, {range}")
  static let contexts = Parameter.word(
    "contexts", default: LinearContexts.shared,
    "shared: one context per decision, weights per variant; variants: the other way round")
  static let seed = Parameter.optionalInteger(
    "seed", in: 0...Int.max,
    "seed of the weights; drawn in each run by default")

  /// The parameters of environments with such a model.
  static let parameters: [any ListedParameter] = [variants, features, contexts, seed]

  let variants: Int
  let features: Int
  let isShared: Bool
  let link: Link
  let noise: RewardNoise
  private let seed: UInt64?

  /// Creates the model that a specification describes.
  ///
  /// - Throws: `SpecificationError` if a number is out of range.
  init(
    _ specification: Specification, link: Link, noise: RewardNoise
  ) throws(SpecificationError) {
    variants = try Self.variants.value(in: specification)
    features = try Self.features.value(in: specification)
    isShared = try Self.contexts.value(in: specification) == .shared
    seed = try Self.seed.value(in: specification).map { UInt64($0) }
    self.link = link
    self.noise = noise
  }

  func problem(horizon: Int) -> Problem {
    Problem(
      variants: variants, horizon: horizon, sharedFeatures: isShared ? features : 0,
      variantFeatures: isShared ? 0 : features, rewards: noise.rewards)
  }

  /// Returns the weights of the variants, one variant after the other, or the shared weights.
  func weights(_ key: StreamKey) -> [Double] {
    var random = Xoshiro256(key: (seed.map { StreamKey(seed: $0) } ?? key).adding("weights"))
    var weights = [Double](repeating: 0, count: isShared ? variants * features : features)
    for start in stride(from: 0, to: weights.count, by: features) {
      Self.drawUnit(&weights, start..<start + features, &random)
    }
    return weights
  }

  /// Draws a vector uniformly from the unit sphere into a range of an array.
  static func drawUnit(
    _ numbers: inout [Double], _ range: Range<Int>, _ random: inout some RandomNumberGenerator
  ) {
    var squares = 0.0
    for index in range {
      let number = Draw.normal(using: &random)
      numbers[index] = number
      squares += number * number
    }
    guard squares > 0 else {
      numbers[range.lowerBound] = 1
      return
    }
    let length = squares.squareRoot()
    for index in range { numbers[index] /= length }
  }
}

/// A run whose means follow from a context.
struct LinearRun: ChangingRun {
  private let model: LinearModel
  private let weights: [Double]
  private let contexts: RewardStream
  private let rewards: RewardStream
  private var means: [Double]
  private var step = 0
  private(set) var context: Context
  private(set) var optimum = 0.0

  init(_ model: LinearModel, _ key: StreamKey) {
    self.model = model
    weights = model.weights(key)
    contexts = RewardStream(key.adding("contexts"))
    rewards = RewardStream(key)
    means = [Double](repeating: 0, count: model.variants)
    context =
      model.isShared
      ? Context(shared: [Double](repeating: 0, count: model.features))
      : Context(variants: [Double](repeating: 0, count: model.variants * model.features))
  }

  var variantCount: Int { means.count }

  mutating func begin(_ step: Int) {
    self.step = step
    let features = model.features
    var random = contexts.generator(UInt64(truncatingIfNeeded: step))
    if model.isShared {
      LinearModel.drawUnit(&context.shared, 0..<features, &random)
    } else {
      for variant in means.indices {
        let start = variant * features
        LinearModel.drawUnit(&context.variants, start..<start + features, &random)
      }
    }
    optimum = -.infinity
    for variant in means.indices {
      let start = variant * features
      let product =
        model.isShared
        ? Self.product(context.shared, 0, weights, start, features)
        : Self.product(context.variants, start, weights, 0, features)
      means[variant] = model.link.mean(product)
      optimum = max(optimum, means[variant])
    }
  }

  private static func product(
    _ x: [Double], _ xStart: Int, _ y: [Double], _ yStart: Int, _ count: Int
  ) -> Double {
    var sum = 0.0
    for index in 0..<count { sum += x[xStart + index] * y[yStart + index] }
    return sum
  }

  func mean(_ variant: Int) -> Double { means[variant] }

  mutating func reward(_ variant: Int) -> Double {
    model.noise.reward(
      means[variant], rewards, UInt64(truncatingIfNeeded: step &* means.count &+ variant))
  }
}
