/// Ridge regressions over the same number of features, updated one reward at a time.
///
/// A model has A = λI + Σ xxᵀ and b = Σ r·x, and its weights are θ = A⁻¹b, which are recomputed with A⁻¹.
///
/// A reward that would make the numbers overflow is ignored: nothing could be learned after it.
struct RidgeModels: Sendable {
  /// The number of features d.
  let dimension: Int
  private let size: Int
  /// A of each model.
  private var gram: InverseMatrices
  /// b of each model.
  private var moments: [Double]
  private(set) var weights: [Double]
  /// A⁻¹x of the model that learns.
  private var direction: [Double]

  init(_ count: Int, dimension: Int, ridge: Double) {
    self.dimension = dimension
    size = PackedSymmetric.size(dimension)
    gram = InverseMatrices(count, dimension: dimension, ridge: ridge)
    moments = [Double](repeating: 0, count: count * dimension)
    weights = moments
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
    let spread = DotProducts.one(gram.inverses, model &* size, products, count: size)
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
    DotProducts.all(gram.inverses, products, count: size, into: &spreads)
    for model in spreads.indices { spreads[model] = spreads[model] > 0 ? spreads[model] : 0 }
  }

  /// Updates a model with a weighted reward.
  @inline(__always)
  mutating func learn(_ model: Int, _ x: [Double], _ reward: Double, weight: Double = 1) {
    gram.multiply(model, x, into: &direction)
    let spread = DotProducts.one(direction, 0, x, count: dimension)
    let gain = weight / (1 + weight * spread)
    let first = model &* dimension
    let miss = reward - DotProducts.one(weights, first, x, count: dimension)
    guard spread >= 0, spread < 1e250, abs(miss) < 1e150, abs(reward) < 1e150 else { return }
    let factor = gram.add(weight, x, direction, gain: gain, to: model)
    let (step, moment) = (gain * miss, weight * reward)
    for feature in 0..<dimension {
      weights[first &+ feature] += step * direction[feature]
      moments[first &+ feature] += moment * x[feature]
    }
    if let factor { refresh(first..<first + dimension, factor) }
  }

  /// Updates A and its inverse with an x, for models whose weights are kept elsewhere. Returns A⁻¹x with the new A, by
  /// which those weights move per unit of residual; empty if numbers would overflow.
  mutating func absorb(_ model: Int, _ x: [Double]) -> [Double] {
    gram.multiply(model, x, into: &direction)
    let spread = DotProducts.one(direction, 0, x, count: dimension)
    guard spread >= 0, spread < 1e250 else { return [] }
    let gain = 1 / (1 + spread)
    _ = gram.add(1, x, direction, gain: gain, to: model)
    return direction.map { $0 * gain }
  }

  /// Recomputes the weights at a place.
  @inline(never)
  private mutating func refresh(_ place: Range<Int>, _ factor: [Double]) {
    var solution = Array(moments[place])
    PackedSymmetric.solveLower(factor, &solution)
    PackedSymmetric.solveUpper(factor, &solution)
    weights.replaceSubrange(place, with: solution)
  }

  /// Returns A⁻¹x.
  mutating func direction(_ model: Int, _ x: [Double]) -> [Double] {
    gram.multiply(model, x, into: &direction)
    return direction
  }

  /// See ``InverseMatrices/solve(_:)``.
  mutating func solve(_ y: inout [Double]) { gram.solve(&y) }
}
