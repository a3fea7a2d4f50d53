public import Specifications
public import Statistics

/// `linucb-hybrid:alpha=1,lambda=1,interactions=no,intercept=no`: `linucb` with a model of each variant, and a joint
/// model of the variant features that all share.
///
/// L. Li, W. Chu, J. Langford and R. E. Schapire, "A contextual-bandit approach to personalized news article
/// recommendation" (WWW 2010), algorithm 2, λ = 1: the mean reward is z·β + x·θ with β for all variants and θ for each.
/// z is the features of the variant, and with `interactions=yes` also their products with the shared features, as in
/// the paper's section 5.2. x is the shared features, and a 1 if an intercept is requested; without shared features and
/// intercept, it is the features of the variant.
///
/// The algorithm's B and b enter only by C = A⁻¹B and m = A⁻¹b, which like A⁻¹ change by one outer product per reward,
/// and so does A₀: by that of w = z − Cᵀx, over 1 + xᵀA⁻¹x. The prediction is w·β + x·m and its variance xᵀA⁻¹x +
/// wᵀA₀⁻¹w, which are the paper's lines 11 to 13 with their terms collected.
public struct LinUCBHybrid: Policy {
  /// The width of the confidence bound in standard deviations.
  public var alpha = 1.0
  /// The penalty on squared weights.
  public var ridge = 1.0
  /// Whether to add products of variant features and shared features.
  public var hasInteractions = false
  /// Whether to add a feature that is always 1 for each variant.
  public var hasIntercept = false
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "linucb-hybrid", "linucb with one model per variant and a joint model",
    source: "Li, Chu, Langford and Schapire 2010, algorithm 2",
    example: "linucb-hybrid:alpha=1,lambda=1,interactions=no,intercept=no")

  public static var parameters: [Field] {
    Field.number(
      "alpha", \.alpha, in: 0...1e9, "width of the confidence bound in standard deviations, {range}"
    )
    Field.number("lambda", \.ridge, in: 1e-9...1e9, "penalty on squared weights, {range}")
    Field.flag(
      "interactions", \.hasInteractions,
      "yes to add products of variant features and shared features"
    )
    Field.flag(
      "intercept", \.hasIntercept, "yes to add a feature that is always 1 for each variant")
  }

  public static let needsContext = true

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) throws(SpecificationError) -> LinUCBHybridState {
    guard problem.variantFeatures > 0 else {
      throw SpecificationError(
        "linucb-hybrid needs features of the variants, and this environment has none; take linucb")
    }
    let (product, isOver) = problem.variantFeatures.multipliedReportingOverflow(
      by: 1 + (hasInteractions ? problem.sharedFeatures : 0))
    let isSmall =
      !isOver && product <= 2000 && problem.sharedFeatures < 2000
      && Double(problem.variants) * Double(problem.sharedFeatures + problem.variantFeatures)
        * Double(problem.sharedFeatures + product) <= ContextFeatures.mostNumbers
    guard isSmall else {
      throw SpecificationError(
        "linucb-hybrid computes with matrices of at most 2000 by 2000 numbers, and this environment has "
          + "too many features; write interactions=no, or take an environment with fewer")
    }
    return LinUCBHybridState(self, problem, common: product)
  }
}

/// The state of a run: the models.
public struct LinUCBHybridState: PolicyState {
  private let alpha: Double
  private let shared: Int
  private let own: Int
  private let hasIntercept: Bool
  /// A and m of each variant. The joint model, with A₀ and β, follows, with a different dimension.
  private var variants: RidgeModels
  private var common: RidgeModels
  /// C of each variant, row by row: one row per element of x.
  private var cross: [Double]
  private var table: ArmTable
  private var scores: [Double]
  private var x: [Double]
  private var z: [Double]
  private var w: [Double]
  private var products: [Double]
  private var commonProducts: [Double]

  init(_ policy: LinUCBHybrid, _ problem: Problem, common k: Int) {
    (alpha, shared, own) = (policy.alpha, problem.sharedFeatures, problem.variantFeatures)
    hasIntercept = policy.hasIntercept
    let numbers = shared + (hasIntercept ? 1 : 0)
    let d = numbers > 0 ? numbers : own
    variants = RidgeModels(problem.variants, dimension: d, ridge: policy.ridge)
    common = RidgeModels(1, dimension: k, ridge: policy.ridge)
    cross = [Double](repeating: 0, count: problem.variants * d * k)
    table = ArmTable(problem.variants)
    scores = [Double](repeating: 0, count: problem.variants)
    x = [Double](repeating: 0, count: d)
    z = [Double](repeating: 0, count: k)
    w = z
    products = [Double](repeating: 0, count: PackedSymmetric.size(d))
    commonProducts = [Double](repeating: 0, count: PackedSymmetric.size(k))
  }

  /// Chooses the largest upper confidence bound, breaking ties at random.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    for variant in scores.indices {
      describe(variant, context)
      PackedSymmetric.products(of: x, into: &products)
      PackedSymmetric.products(of: w, into: &commonProducts)
      let mean = common.mean(0, w) + variants.mean(variant, x)
      let spread =
        variants.spread(variant, products: products) + common.spread(0, products: commonProducts)
      scores[variant] = mean + alpha * spread.squareRoot()
    }
    return table.roster.largest(&random) { scores[$0] }
  }

  /// Updates the model of the variant, and the joint model with the residual that it does not explain.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    guard abs(reward) < 1e150 else { return }
    describe(variant, context)
    PackedSymmetric.products(of: x, into: &products)
    let noise = 1 + variants.spread(variant, products: products)
    common.learn(0, w, reward - variants.mean(variant, x), weight: 1 / noise)
    // C before its A⁻¹ changes: C + A⁻¹x·wᵀ/(1 + xᵀA⁻¹x).
    let direction = variants.direction(variant, x)
    var place = variant * x.count * z.count
    for step in direction {
      for number in w {
        cross[place] += step / noise * number
        place += 1
      }
    }
    variants.learn(variant, x, reward)
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }

  /// Computes x, z and w = z − Cᵀx of a variant.
  private mutating func describe(_ variant: Int, _ context: Context) {
    if shared == 0, !hasIntercept {
      for place in 0..<own {
        x[place] = ContextFeatures.number(context.variants, variant * own + place)
      }
    } else {
      for place in 0..<shared { x[place] = ContextFeatures.number(context.shared, place) }
      if hasIntercept { x[shared] = 1 }
    }
    for place in 0..<own {
      z[place] = ContextFeatures.number(context.variants, variant * own + place)
    }
    if z.count > own {
      for (row, factor) in (0..<shared).map({ ContextFeatures.number(context.shared, $0) })
        .enumerated()
      {
        for place in 0..<own { z[own * (row + 1) + place] = factor * z[place] }
      }
    }
    var place = variant * x.count * z.count
    for column in z.indices { w[column] = z[column] }
    for number in x {
      for column in w.indices { w[column] -= cross[place + column] * number }
      place += w.count
    }
  }
}
