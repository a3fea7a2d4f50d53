public import Specifications

/// How a contextual policy predicts rewards: the parameters of its models.
public struct LinearOptions: ParameterGroup {
  /// The penalty on squared weights; 1/λ is their prior variance.
  public var lambda = 1.0
  /// How the models are divided among the variants.
  public var models = ContextModels.auto
  /// Whether to add a feature that is always 1.
  public var hasIntercept = false

  /// Creates the parameters with their defaults.
  public init() {}

  public static var parameters: [Field] {
    Field.number(
      "lambda", \.lambda, in: 1e-9...1e9,
      "penalty on squared weights, {range}; 1/lambda is their prior variance"
    )
    Field.word(
      "models", \.models,
      "each for one model per variant, one for a joint model, auto for a joint one if variants have features"
    )
    Field.flag("intercept", \.hasIntercept, "yes to add a feature that is always 1")
  }
}

/// Ridge regressions of the rewards on the feature vectors, which most contextual policies learn.
struct LinearModels: Sendable {
  let features: ContextFeatures
  var ridges: RidgeModels
  /// θ·x of each variant, as of the last call of `look`.
  private(set) var means: [Double]
  /// xᵀA⁻¹x of each variant.
  private(set) var spreads: [Double]
  private var x: [Double]
  private var products: [Double]

  init(_ problem: Problem, _ options: LinearOptions, of policy: String) throws(SpecificationError) {
    features = try ContextFeatures(problem, options, of: policy)
    ridges = RidgeModels(
      features.modelCount, dimension: features.dimension, ridge: options.lambda)
    means = [Double](repeating: 0, count: problem.variants)
    spreads = means
    x = [Double](repeating: 0, count: features.dimension)
    products = [Double](repeating: 0, count: PackedSymmetric.size(features.dimension))
  }

  /// Computes the means, and the spreads if they are needed.
  @inline(__always)
  mutating func look(_ context: Context, spreads needsSpreads: Bool) {
    if features.isCommon, features.modelCount == means.count {
      return lookAtAll(context, spreads: needsSpreads)
    }
    for variant in means.indices {
      if variant == 0 || !features.isCommon {
        features.write(context, variant, into: &x)
        if needsSpreads { PackedSymmetric.products(of: x, into: &products) }
      }
      let model = features.model(variant)
      means[variant] = ridges.mean(model, x)
      if needsSpreads { spreads[variant] = ridges.spread(model, products: products) }
    }
  }

  /// The same where each variant has a model of its own, and all have the same features.
  @inline(__always)
  private mutating func lookAtAll(_ context: Context, spreads needsSpreads: Bool) {
    features.write(context, 0, into: &x)
    ridges.writeMeans(x, into: &means)
    guard needsSpreads else { return }
    PackedSymmetric.products(of: x, into: &products)
    ridges.writeSpreads(products: products, into: &spreads)
  }

  @inline(__always)
  mutating func learn(_ variant: Int, _ reward: Double, _ context: Context) {
    features.write(context, variant, into: &x)
    ridges.learn(features.model(variant), x, reward)
  }

  /// Returns x·θ for given weights instead of the model's.
  func score(_ variant: Int, _ context: Context, _ weights: [Double], _ x: inout [Double]) -> Double {
    features.write(context, variant, into: &x)
    return DotProducts.one(weights, 0, x, count: x.count)
  }
}
