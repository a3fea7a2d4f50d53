public import Bandits
public import Specifications
internal import Statistics

/// `logistic:lambda=1`: logistic regression of rewards in 0 ... 1 on the features.
///
/// The weights θ minimize Σw(ln(1 + e^(θ·x)) − r·θ·x) + λΣθ²/2, without penalty on the intercept, so λ is 1/C of other
/// libraries. Newton's method, which here is iteratively reweighted least squares (P. McCullagh and J. A. Nelder,
/// *Generalized Linear Models*, 2nd edition 1989, section 2.5), from zero weights, with one pass per step: a step that
/// increases the loss is halved; the fit ends after the step in which the squared Newton decrement is at most 1e-16 per
/// unit of weight, or after 50 passes. At most 1000 columns.
public struct LogisticRewards: RewardModel {
  /// The penalty on half the squared weights but for the intercept.
  public var lambda = 1.0
  public var specification = Self.info.specification()

  /// Creates the model with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "logistic", "logistic regression of rewards in 0 to 1 on the features",
    source: "McCullagh and Nelder 1989, section 2.5", example: "logistic:lambda=1")

  public static var parameters: [Field] {
    Field.number(
      "lambda", \.lambda, in: 1e-9...1e9,
      "penalty on half the squared weights but for the intercept, {range}")
  }

  public static let usesFeatures = true

  public func makeFit(_ problem: RewardProblem) throws(SpecificationError) -> any RewardFit {
    try LinearRewards.check(problem, Self.info.name)
    return LogisticFit(problem.columns, lambda)
  }
}

/// The state of Newton's method.
struct LogisticFit: RewardFit {
  private let lambda: Double
  /// The weights whose loss and derivatives the current pass sums.
  private var weights: [Double]
  /// The weights with the least loss so far, and that loss.
  private var best: (weights: [Double], loss: Double)?
  private var passes = 0
  private var sums: NormalSums
  private var loss = ExactSum()
  private var total = ExactSum()
  /// A reward outside 0 ... 1: the smallest one below, or else the greatest one above.
  private var outside: Double?

  /// The maximum number of passes.
  static let mostPasses = 50

  init(_ columns: Int, _ lambda: Double) {
    self.lambda = lambda
    weights = [Double](repeating: 0, count: columns)
    sums = NormalSums(columns)
  }

  mutating func add(_ row: RewardRow, _ features: FeatureVector) {
    guard row.isUsable else { return }
    guard row.reward >= 0, row.reward <= 1 else { return refuse(row.reward) }
    let z = features.dot(weights)
    let p = LogisticModels.sigmoid(z)
    let small = Double.exp(-abs(z))
    loss.add(row.weight * (max(z, 0) + Double.log(1 + small) - row.reward * z))
    total.add(row.weight)
    // p(1 − p) without cancellation.
    let spread = small / ((1 + small) * (1 + small))
    sums.add(features, weight: row.weight * spread, moment: row.weight * (row.reward - p))
  }

  private mutating func refuse(_ reward: Double) {
    guard let known = outside else { return outside = reward }
    outside = min(known, reward) < 0 ? min(known, reward) : max(known, reward)
  }

  var emptyPart: LogisticFit {
    var part = LogisticFit(weights.count, lambda)
    (part.weights, part.best, part.passes) = (weights, best, passes)
    return part
  }

  mutating func merge(_ part: LogisticFit) {
    sums.merge(part.sums)
    loss.merge(part.loss)
    total.merge(part.total)
    if let reward = part.outside { refuse(reward) }
  }

  mutating func finishPass() throws(SpecificationError) -> Bool {
    if let outside {
      throw SpecificationError(
        "logistic takes rewards from 0 to 1, and there is one of \(outside); write linear instead")
    }
    passes += 1
    let penalty = weights.dropFirst().reduce(0) { $0 + $1 * $1 } * lambda / 2
    let sum = loss.value + penalty
    let isDone = total.value <= 0 || (isWorse(sum) ? !retreat() : !advance(from: sum))
    if !isDone, passes < Self.mostPasses {
      self = emptyPart
      return true
    }
    if let best, passes == Self.mostPasses { weights = best.weights }
    return false
  }

  private func isWorse(_ loss: Double) -> Bool {
    guard let best else { return false }
    return !(loss <= best.loss + 1e-12 * abs(best.loss))
  }

  /// Goes back half of the way to the best weights; returns false if that changes nothing.
  private mutating func retreat() -> Bool {
    guard let best else { return false }
    let middle = zip(weights, best.weights).map { $0 / 2 + $1 / 2 }
    guard middle != best.weights, middle != weights else {
      weights = best.weights
      return false
    }
    weights = middle
    return true
  }

  /// Takes a step from weights with the given loss; returns false if it was the last one.
  private mutating func advance(from loss: Double) -> Bool {
    best = (weights, loss)
    var matrix = sums.matrix
    NormalSums.penalize(&matrix, lambda, dimension: weights.count)
    var gradient = sums.vector
    for column in gradient.indices.dropFirst() { gradient[column] -= lambda * weights[column] }
    guard let step = PackedSymmetric.solve(matrix, gradient) else { return false }
    let decrement = zip(step, gradient).reduce(0) { $0 + $1.0 * $1.1 }
    for column in weights.indices { weights[column] += step[column] }
    return decrement > 1e-16 * total.value
  }

  func fitted() -> any FittedRewardModel {
    LogisticPredictor(weights: total.value > 0 ? weights : nil)
  }
}

/// A prediction σ(θ·x); 0 if there were no rows.
struct LogisticPredictor: FittedRewardModel {
  let weights: [Double]?

  func reward(of variant: Int, in slot: Int, _ features: FeatureVector) -> Double {
    weights.map { LogisticModels.sigmoid(features.dot($0)) } ?? 0
  }
}
