public import Bandits
public import Specifications
internal import Statistics

/// `softmax-linear:objective=dr`: probabilities proportional to exp(θ·x), where x are the features of a choice.
///
/// θ maximizes the objective minus λΣθ²/2, by gradient ascent on all decisions (limited-memory BFGS, one pass per step,
/// from θ = 0, where all choices are equally likely): the policy gradient of A. Swaminathan and T. Joachims,
/// "Counterfactual risk minimization" (ICML 2015). The objective is not concave, so the maximum may be a local one. The
/// features must differ between variants, as with `cross(country,variant)`; columns that do not are without effect.
public struct SoftmaxLearner: PolicyLearner {
  /// The objective.
  public var objective = PolicyObjective.ips
  /// The penalty on half the squared weights.
  public var lambda = 1e-4
  /// The maximum number of passes over the log.
  public var passes = 100
  public var specification = Self.info.specification()

  /// Creates the learner with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "softmax-linear", "probabilities proportional to the exponential of a linear score",
    source: "Swaminathan and Joachims 2015", example: "softmax-linear:objective=dr")

  public static var parameters: [Field] {
    Field.objective(\.objective)
    Field.number("lambda", \.lambda, in: 0...1e9, "penalty on half the squared weights, {range}")
    Field.integer(
      "passes", \.passes, in: 1...10_000, "maximum number of passes over the log, {range}")
  }

  /// The maximum number of columns.
  static let mostColumns = 1 << 18

  public func makeFit(_ problem: PolicyProblem) throws(SpecificationError) -> any PolicyFit {
    guard !problem.map.specification.isShared else {
      throw SpecificationError(
        "softmax-linear needs features that differ between variants, such as one-hot(variant) or "
          + "cross(country,variant); these are \"\(problem.map.specification)\"")
    }
    guard problem.map.columnCount <= Self.mostColumns else {
      throw SpecificationError(
        "softmax-linear takes features with at most \(Self.mostColumns) columns, and these have "
          + "\(problem.map.columnCount); keep fewer values or hash them")
    }
    return SoftmaxFit(self, problem)
  }
}

/// The state of the gradient ascent of a softmax policy.
struct SoftmaxFit: PolicyFit {
  private let learner: SoftmaxLearner
  private let problem: PolicyProblem
  private var search: LimitedMemory
  private var passes = 0
  /// Σ Σπ·gain, and its gradient.
  private var gain = ObjectiveSum()
  /// Σ Σπ·share, and its gradient; only of the self-normalized objective.
  private var share = ObjectiveSum()
  private var count = 0
  private var probabilities: [Double] = []

  init(_ learner: SoftmaxLearner, _ problem: PolicyProblem) {
    (self.learner, self.problem) = (learner, problem)
    search = LimitedMemory(problem.map.columnCount, tolerance: 1e-9)
    clear()
  }

  private mutating func clear() {
    let columns = problem.map.columnCount
    count = 0
    gain = ObjectiveSum(columns)
    share = ObjectiveSum(learner.objective == .snips ? columns : 0)
  }

  mutating func add(_ decision: borrowing LearningDecision) {
    guard decision.isUsable(learner.objective),
      decision.features.count == decision.choices.count
    else { return }
    count += 1
    probabilities.removeAll(keepingCapacity: true)
    for vector in decision.features { probabilities.append(vector.dot(search.point)) }
    LearnedPolicy.Softmax.normalize(&probabilities)
    let objective = learner.objective
    gain.add(decision, probabilities) { objective.gain($0, $1) }
    if objective == .snips {
      share.add(decision, probabilities) { objective.share($0, $1) }
    }
  }

  var emptyPart: SoftmaxFit {
    var part = self
    part.clear()
    return part
  }

  mutating func merge(_ part: SoftmaxFit) {
    count += part.count
    gain.merge(part.gain)
    share.merge(part.share)
  }

  mutating func finishPass() -> Bool {
    passes += 1
    let (value, gradient) = objective
    let isOver = !search.advance(value: value, gradient: gradient)
    if !isOver, passes < learner.passes {
      clear()
      return true
    }
    search.stop()
    return false
  }

  /// The objective with its penalty, and the gradient.
  private var objective: (Double, [Double]) {
    let isNormalized = learner.objective == .snips
    let divisor = isNormalized ? share.value.value : Double(count)
    guard divisor > 0 else { return (0, search.point.map { _ in 0 }) }
    let ratio = gain.value.value / divisor
    var gradient = gain.gradient.map { $0.value / divisor }
    if isNormalized {
      for column in gradient.indices {
        gradient[column] -= ratio * (share.gradient[column].value / divisor)
      }
    }
    var penalty = 0.0
    for (column, weight) in search.point.enumerated() {
      gradient[column] -= learner.lambda * weight
      penalty += weight * weight
    }
    // These cannot matter; their sums have rounding errors.
    for columns in problem.map.sharedColumns {
      for column in columns { gradient[column] = 0 }
    }
    return (ratio - learner.lambda / 2 * penalty, gradient)
  }

  func fitted() -> LearnedPolicy {
    LearnedPolicy(learner.specification, learner.objective, problem, .softmax(search.point))
  }
}

/// A sum of values and of their gradients, exact.
struct ObjectiveSum: Sendable {
  var value = ExactSum()
  private(set) var gradient: [ExactSum] = []

  init(_ columns: Int = 0) { gradient = Array(repeating: ExactSum(), count: columns) }

  /// Adds Σπv of a decision and its gradient Σπ(v − Σπv)x.
  @inline(__always)
  mutating func add(
    _ decision: borrowing LearningDecision, _ probabilities: [Double],
    _ gain: (Int, borrowing LearningDecision) -> Double
  ) {
    var mean = 0.0
    for place in probabilities.indices { mean += probabilities[place] * gain(place, decision) }
    value.add(mean)
    for place in probabilities.indices {
      let factor = probabilities[place] * (gain(place, decision) - mean)
      guard factor != 0 else { continue }
      for entry in decision.features[place].entries where entry.column < gradient.count {
        gradient[entry.column].add(factor * entry.value)
      }
    }
  }

  mutating func merge(_ other: ObjectiveSum) {
    value.merge(other.value)
    for column in gradient.indices { gradient[column].merge(other.gradient[column]) }
  }
}
