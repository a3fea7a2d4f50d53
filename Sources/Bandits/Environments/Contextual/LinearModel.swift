public import Specifications
internal import Statistics

/// Whether the contexts or the weights of a linear environment are shared by the variants.
public enum LinearContexts: String, CaseIterable, Sendable {
  /// One context for each decision, and weights for each variant.
  case shared
  /// A context for each variant at each decision, and the same weights for all variants.
  case variants
}

/// The size of a linear environment, the form of its contexts, and the seed of its weights.
public struct LinearShape: ParameterGroup {
  /// The number of variants.
  public var variants = 10
  /// The number of features of a context.
  public var features = 10
  /// The coefficients that the variants share.
  public var contexts = LinearContexts.shared
  /// The seed of the weights; nil for weights that are drawn in each run.
  public var seed: Int?

  /// Creates the shape with the defaults of its parameters.
  public init() {}

  public static var parameters: [Field] {
    Field.integer("variants", \.variants, in: 1...1000, "number of variants, {range}")
    Field.integer("features", \.features, in: 1...1000, "number of features of a context, {range}")
    Field.word(
      "contexts", \.contexts,
      "shared: one context per decision, weights per variant; variants: the other way round")
    Field.integer(
      "seed", \.seed, in: 0...Int.max, "seed of the weights; drawn in each run by default")
  }
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

  let shape: LinearShape
  let link: Link
  let noise: RewardNoise

  var variants: Int { shape.variants }
  var features: Int { shape.features }
  var isShared: Bool { shape.contexts == .shared }

  func problem(horizon: Int) -> Problem {
    Problem(
      variants: variants, horizon: horizon, sharedFeatures: isShared ? features : 0,
      variantFeatures: isShared ? 0 : features, rewards: noise.rewards)
  }

  /// Returns the weights of the variants, one variant after the other, or the shared weights.
  func weights(_ key: StreamKey) -> [Double] {
    var random = Xoshiro256(
      key: (shape.seed.map { StreamKey(seed: UInt64($0)) } ?? key).adding("weights"))
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
