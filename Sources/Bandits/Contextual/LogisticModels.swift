internal import Statistics

/// Bayesian logistic regressions with a normal prior, updated one reward at a time by Laplace's approximation.
///
/// A model has weights with mean m and precision Q, initially λI. After a reward r in 0 ... 1 for x, the new mean
/// minimizes (w − m)ᵀQ(w − m)/2 + ln(1 + eʷˣ) − r·w·x, and p(1 − p)·xxᵀ is added to Q, where p is the prediction at the
/// minimum. The minimum is at m + s·Q⁻¹x with s = r − p, a scalar equation. With a diagonal Q only the squares of x are
/// added: O. Chapelle and L. Li, "An empirical evaluation of Thompson sampling" (NIPS 2011), algorithm 3 with batches
/// of one.
package struct LogisticModels: Sendable {
  let dimension: Int
  private let isFull: Bool
  private let size: Int
  private let refreshInterval: Int
  private(set) var weights: [Double]
  /// Q of each model, packed, or its diagonal.
  private(set) var precision: [Double]
  /// Q⁻¹ of each model if Q is full.
  private var inverse: [Double]
  private var updates: [Int]
  private var direction: [Double]

  init(_ count: Int, dimension: Int, ridge: Double, isFull: Bool) {
    self.dimension = dimension
    self.isFull = isFull
    size = isFull ? PackedSymmetric.size(dimension) : dimension
    refreshInterval = max(256, 4 * dimension)
    weights = [Double](repeating: 0, count: count * dimension)
    precision =
      isFull
      ? PackedSymmetric.units(dimension, ridge, count: count)
      : [Double](repeating: ridge, count: count * dimension)
    inverse = isFull ? PackedSymmetric.units(dimension, 1 / ridge, count: count) : []
    updates = [Int](repeating: 0, count: count)
    direction = [Double](repeating: 0, count: dimension)
  }

  /// Returns m·x.
  @inline(__always)
  func mean(_ model: Int, _ x: [Double]) -> Double {
    DotProducts.one(weights, model &* dimension, x, count: dimension)
  }

  /// Returns xᵀQ⁻¹x, never negative.
  @inline(__always)
  mutating func spread(_ model: Int, _ x: [Double]) -> Double {
    direct(model, x)
    let spread = DotProducts.one(direction, 0, x, count: dimension)
    return spread > 0 ? spread : 0
  }

  /// Updates a model with a reward, clamped to 0 ... 1.
  mutating func learn(_ model: Int, _ x: [Double], _ reward: Double) {
    let spread = spread(model, x)
    guard spread < 1e200 else { return }
    let start = mean(model, x)
    let step = Self.step(min(max(reward, 0), 1), start, spread)
    let p = Self.sigmoid(start + step * spread)
    let curvature = p * (1 - p)
    let first = model * dimension
    for feature in 0..<dimension { weights[first + feature] += step * direction[feature] }
    guard isFull else {
      for feature in 0..<dimension {
        precision[first + feature] += curvature * x[feature] * x[feature]
      }
      return
    }
    PackedSymmetric.add(curvature, x, to: &precision, model * size)
    PackedSymmetric.add(
      -curvature / (1 + curvature * spread), direction, to: &inverse, model * size)
    updates[model] += 1
    if updates[model] == refreshInterval { refresh(model) }
  }

  /// Returns U with UᵀU = Q; nil if Q is diagonal or numbers overflow.
  func factor(_ model: Int) -> [Double]? {
    isFull ? PackedSymmetric.factor(precision, model * size, dimension) : nil
  }

  /// Computes Q⁻¹x.
  @inline(__always)
  private mutating func direct(_ model: Int, _ x: [Double]) {
    if isFull {
      PackedSymmetric.multiply(inverse, model &* size, x, into: &direction)
    } else {
      for feature in 0..<dimension {
        direction[feature] = x[feature] / precision[model &* dimension &+ feature]
      }
    }
  }

  private mutating func refresh(_ model: Int) {
    updates[model] = 0
    guard let factor = factor(model) else { return }
    PackedSymmetric.invert(factor, dimension, into: &inverse, model * size)
  }

  /// Returns the s with s = r − σ(start + s·spread): the left side increases, the right one decreases, and s lies
  /// within r − 1 ... r. Newton's method within that bracket, with bisection whenever it does not halve its steps, as
  /// it could cycle where σ is steep.
  static func step(_ reward: Double, _ start: Double, _ spread: Double) -> Double {
    var (low, high) = (reward - 1, reward)
    var s = reward - sigmoid(start)
    var last = 1.0
    for _ in 0..<200 {
      let p = sigmoid(start + s * spread)
      let miss = s - reward + p
      if miss > 0 { high = s } else { low = s }
      var next = s - miss / (1 + p * (1 - p) * spread)
      if abs(next - s) <= 1e-16 { break }
      if !(next > low && next < high && abs(next - s) < last / 2) { next = low + (high - low) / 2 }
      last = abs(next - s)
      s = next
      if last <= 1e-16 { break }
    }
    return s
  }

  package static func sigmoid(_ x: Double) -> Double {
    // The smaller of p and 1 − p retains precision.
    let small = Double.exp(-abs(x))
    return x >= 0 ? 1 / (1 + small) : small / (1 + small)
  }
}
