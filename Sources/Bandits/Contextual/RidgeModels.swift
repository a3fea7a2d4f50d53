/// Ridge regressions over the same number of features, updated one reward at a time.
///
/// A model has A = λI + Σ xxᵀ and b = Σ r·x, and its weights are θ = A⁻¹b. A⁻¹ is updated by the formula of J. Sherman
/// and W. Morrison ("Adjustment of an inverse matrix corresponding to a change in one element of a given matrix",
/// Annals of Mathematical Statistics 21, 1950), in d² steps per reward; periodically it is recomputed from A by
/// Cholesky's method so that rounding errors do not accumulate.
///
/// A reward that would make the numbers overflow is ignored: nothing could be learned after it.
struct RidgeModels: Sendable {
  /// The number of features d.
  let dimension: Int
  private let size: Int
  private let refreshInterval: Int
  /// A of each model.
  private var gram: [Double]
  private(set) var inverse: [Double]
  /// b of each model.
  private var moments: [Double]
  private(set) var weights: [Double]
  /// The number of rewards since the inverse was last recomputed.
  private var updates: [Int]
  /// A⁻¹x of the model that learns.
  private var direction: [Double]

  init(_ count: Int, dimension: Int, ridge: Double) {
    self.dimension = dimension
    size = PackedSymmetric.size(dimension)
    refreshInterval = max(256, 4 * dimension)
    gram = PackedSymmetric.units(dimension, ridge, count: count)
    inverse = PackedSymmetric.units(dimension, 1 / ridge, count: count)
    moments = [Double](repeating: 0, count: count * dimension)
    weights = moments
    updates = [Int](repeating: 0, count: count)
    direction = [Double](repeating: 0, count: dimension)
  }

  /// Returns θ·x.
  @inline(__always)
  func mean(_ model: Int, _ x: [Double]) -> Double {
    DotProducts.one(weights, model &* dimension, x, count: dimension)
  }

  /// Returns xᵀA⁻¹x, from the products of x, never negative.
  @inline(__always)
  func spread(_ model: Int, products: [Double]) -> Double {
    let spread = DotProducts.one(inverse, model &* size, products, count: size)
    return spread > 0 ? spread : 0
  }

  /// Computes θ·x of all models.
  @inline(__always)
  func writeMeans(_ x: [Double], into means: inout [Double]) {
    DotProducts.all(weights, x, count: dimension, into: &means)
  }

  /// Computes xᵀA⁻¹x of all models.
  @inline(__always)
  func writeSpreads(products: [Double], into spreads: inout [Double]) {
    DotProducts.all(inverse, products, count: size, into: &spreads)
    for model in spreads.indices { spreads[model] = spreads[model] > 0 ? spreads[model] : 0 }
  }

  /// Updates a model with a weighted reward.
  @inline(__always)
  mutating func learn(_ model: Int, _ x: [Double], _ reward: Double, weight: Double = 1) {
    let start = model &* size
    PackedSymmetric.multiply(inverse, start, x, into: &direction)
    let spread = DotProducts.one(direction, 0, x, count: dimension)
    let gain = weight / (1 + weight * spread)
    let first = model &* dimension
    let miss = reward - DotProducts.one(weights, first, x, count: dimension)
    guard spread >= 0, spread < 1e250, abs(miss) < 1e150, abs(reward) < 1e150 else { return }
    PackedSymmetric.add(weight, x, to: &gram, start)
    PackedSymmetric.add(-gain, direction, to: &inverse, start)
    let (step, moment) = (gain * miss, weight * reward)
    for feature in 0..<dimension {
      weights[first &+ feature] += step * direction[feature]
      moments[first &+ feature] += moment * x[feature]
    }
    updates[model] += 1
    if updates[model] == refreshInterval { refresh(model) }
  }

  /// Updates A and its inverse with an x, for models whose weights are kept elsewhere. Returns A⁻¹x with the new A, by
  /// which those weights move per unit of residual; empty if numbers would overflow.
  mutating func absorb(_ model: Int, _ x: [Double]) -> [Double] {
    let start = model * size
    PackedSymmetric.multiply(inverse, start, x, into: &direction)
    let spread = DotProducts.one(direction, 0, x, count: dimension)
    guard spread >= 0, spread < 1e250 else { return [] }
    let gain = 1 / (1 + spread)
    PackedSymmetric.add(1, x, to: &gram, start)
    PackedSymmetric.add(-gain, direction, to: &inverse, start)
    let step = direction.map { $0 * gain }
    updates[model] += 1
    if updates[model] == refreshInterval { refresh(model) }
    return step
  }

  /// Recomputes inverse and weights.
  @inline(never)
  private mutating func refresh(_ model: Int) {
    updates[model] = 0
    guard let factor = factor(model) else { return }
    PackedSymmetric.invert(factor, dimension, into: &inverse, model * size)
    let place = model * dimension..<(model + 1) * dimension
    var solution = Array(moments[place])
    PackedSymmetric.solveLower(factor, &solution)
    PackedSymmetric.solveUpper(factor, &solution)
    weights.replaceSubrange(place, with: solution)
  }

  /// Returns A⁻¹x.
  mutating func direction(_ model: Int, _ x: [Double]) -> [Double] {
    PackedSymmetric.multiply(inverse, model * size, x, into: &direction)
    return direction
  }

  /// Returns U with UᵀU = A of a model; nil if numbers overflow.
  func factor(_ model: Int) -> [Double]? {
    PackedSymmetric.factor(gram, model * size, dimension)
  }
}
