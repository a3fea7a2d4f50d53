/// Positive definite matrices A and their inverses, to which outer products xxᵀ are added one at a time.
///
/// A⁻¹ is updated by the formula of J. Sherman and W. Morrison ("Adjustment of an inverse matrix corresponding to a
/// change in one element of a given matrix", Annals of Mathematical Statistics 21, 1950), in d² steps; periodically it
/// is recomputed from A by Cholesky's method so that rounding errors do not accumulate.
struct InverseMatrices: Sendable {
  private let dimension: Int
  private let size: Int
  private let refreshInterval: Int
  private var matrices: [Double]
  /// A⁻¹ of each matrix, packed.
  private(set) var inverses: [Double]
  /// The number of products added since the inverse was last recomputed.
  private var updates: [Int]
  /// The Cholesky factor of the first matrix; nil after a change of any.
  private var factor: [Double]?

  /// Creates multiples λI of the unit matrix.
  init(_ count: Int, dimension: Int, ridge: Double) {
    self.dimension = dimension
    size = PackedSymmetric.size(dimension)
    refreshInterval = max(256, 4 * dimension)
    matrices = PackedSymmetric.units(dimension, ridge, count: count)
    inverses = PackedSymmetric.units(dimension, 1 / ridge, count: count)
    updates = [Int](repeating: 0, count: count)
  }

  /// Computes A⁻¹x.
  @inline(__always)
  func multiply(_ model: Int, _ x: [Double], into direction: inout [Double]) {
    PackedSymmetric.multiply(inverses, model &* size, x, into: &direction)
  }

  /// Adds weight·xxᵀ.
  ///
  /// - Parameters:
  ///   - weight: The weight.
  ///   - x: The vector.
  ///   - direction: A⁻¹x.
  ///   - gain: weight/(1 + weight·xᵀA⁻¹x).
  ///   - model: The index of the matrix.
  /// - Returns: U with UᵀU = A if the inverse was recomputed from it.
  @inline(__always)
  mutating func add(
    _ weight: Double, _ x: [Double], _ direction: [Double], gain: Double, to model: Int
  ) -> [Double]? {
    PackedSymmetric.add(weight, x, to: &matrices, model &* size)
    PackedSymmetric.add(-gain, direction, to: &inverses, model &* size)
    factor = nil
    updates[model] += 1
    return updates[model] == refreshInterval ? refresh(model) : nil
  }

  @inline(never)
  private mutating func refresh(_ model: Int) -> [Double]? {
    updates[model] = 0
    let factor = PackedSymmetric.factor(matrices, model * size, dimension)
    if let factor { PackedSymmetric.invert(factor, dimension, into: &inverses, model * size) }
    return factor
  }

  /// Solves Ux = y with UᵀU = A of the first matrix in place: with y standard normal, x has the covariance A⁻¹. Leaves
  /// y as it is if numbers overflow.
  mutating func solve(_ y: inout [Double]) {
    if factor == nil { factor = PackedSymmetric.factor(matrices, 0, dimension) }
    if let factor { PackedSymmetric.solveUpper(factor, &y) }
  }
}
