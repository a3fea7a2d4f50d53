internal import Bandits

/// The maximization of a smooth function by the method of limited-memory BFGS with backtracking: J. Nocedal and S. J.
/// Wright, *Numerical Optimization* (2nd edition, 2006), algorithms 7.4 and 3.1.
///
/// The caller evaluates the function and its gradient at ``point``, and passes both to ``advance(value:gradient:)``. A
/// step is accepted if the value increases by at least 1e-4 of what the gradient promises, and is halved otherwise. The
/// search ends when the greatest component of the gradient is at most the tolerance, or no step of 2⁻³⁰ increases the
/// value.
struct LimitedMemory: Sendable {
  /// The number of earlier steps that shape the direction.
  private static let memory = 8
  private static let mostHalvings = 30

  /// The point at which the function is to be evaluated; the best one once the search has ended.
  private(set) var point: [Double]
  private let tolerance: Double
  private var best: (point: [Double], value: Double, gradient: [Double])?
  private var direction: [Double] = []
  private var slope = 0.0
  private var step = 1.0
  private var halvings = 0
  private var history: [(move: [Double], change: [Double], product: Double)] = []

  init(_ dimension: Int, tolerance: Double) {
    point = [Double](repeating: 0, count: dimension)
    self.tolerance = tolerance
  }

  /// Moves to the next point; returns false if the search has ended.
  mutating func advance(value: Double, gradient: [Double]) -> Bool {
    if let last = best {
      guard value >= last.value + 1e-4 * step * slope else { return halve(last.point) }
      remember(last.point, last.gradient, gradient)
    }
    best = (point, value, gradient)
    guard value.isFinite, gradient.contains(where: { abs($0) > tolerance }) else { return false }
    direction = ascent(gradient)
    slope = Self.dot(direction, gradient)
    if !(slope > 0) {
      history = []
      (direction, slope) = (gradient, Self.dot(gradient, gradient))
    }
    // The first step has the length 1.
    step = history.isEmpty ? 1 / max(slope, .leastNormalMagnitude).squareRoot() : 1
    halvings = 0
    move(from: point)
    return true
  }

  /// Ends the search at the best point.
  mutating func stop() { if let best { point = best.point } }

  private mutating func halve(_ origin: [Double]) -> Bool {
    guard halvings < Self.mostHalvings else {
      stop()
      return false
    }
    halvings += 1
    step /= 2
    move(from: origin)
    return true
  }

  private mutating func move(from origin: [Double]) {
    for place in point.indices { point[place] = origin[place] + step * direction[place] }
  }

  /// Stores a step if the function is concave along it.
  private mutating func remember(_ old: [Double], _ oldGradient: [Double], _ gradient: [Double]) {
    let move = zip(point, old).map { $0 - $1 }
    let change = zip(oldGradient, gradient).map { $0 - $1 }
    let product = Self.dot(move, change)
    guard
      product > 1e-10 * Self.dot(change, change).squareRoot() * Self.dot(move, move).squareRoot()
    else { return }
    history.append((move, change, product))
    if history.count > Self.memory { history.removeFirst() }
  }

  /// Returns the gradient times the approximate inverse of the negated second derivatives.
  private func ascent(_ gradient: [Double]) -> [Double] {
    var direction = gradient
    var factors: [Double] = []
    for pair in history.reversed() {
      let factor = Self.dot(pair.move, direction) / pair.product
      factors.append(factor)
      for place in direction.indices { direction[place] -= factor * pair.change[place] }
    }
    if let last = history.last {
      let scale = last.product / Self.dot(last.change, last.change)
      for place in direction.indices { direction[place] *= scale }
    }
    for (pair, factor) in zip(history, factors.reversed()) {
      let back = Self.dot(pair.change, direction) / pair.product
      for place in direction.indices { direction[place] += (factor - back) * pair.move[place] }
    }
    return direction
  }

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    DotProducts.one(a, 0, b, count: a.count)
  }
}
