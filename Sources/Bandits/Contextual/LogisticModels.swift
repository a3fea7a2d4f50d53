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
  private(set) var weights: [Double]
  /// The diagonal of Q of each model, unless Q is full.
  private var diagonals: [Double]
  /// Q of each model if it is full.
  private var precisions: InverseMatrices
  private var direction: [Double]

  init(_ count: Int, dimension: Int, ridge: Double, isFull: Bool) {
    self.dimension = dimension
    self.isFull = isFull
    weights = [Double](repeating: 0, count: count * dimension)
    diagonals = [Double](repeating: ridge, count: isFull ? 0 : count * dimension)
    precisions = InverseMatrices(isFull ? count : 0, dimension: dimension, ridge: ridge)
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
    if isFull {
      let gain = curvature / (1 + curvature * spread)
      _ = precisions.add(curvature, x, direction, gain: gain, to: model)
    } else {
      for feature in 0..<dimension { diagonals[first + feature] += curvature * x[feature] * x[feature] }
    }
  }

  /// Gives standard normal numbers the covariance Q⁻¹ of the first model.
  mutating func solve(_ y: inout [Double]) {
    if isFull { return precisions.solve(&y) }
    for feature in y.indices { y[feature] /= diagonals[feature].squareRoot() }
  }

  /// Computes Q⁻¹x.
  @inline(__always)
  private mutating func direct(_ model: Int, _ x: [Double]) {
    if isFull {
      precisions.multiply(model, x, into: &direction)
    } else {
      for feature in 0..<dimension {
        direction[feature] = x[feature] / diagonals[model &* dimension &+ feature]
      }
    }
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
