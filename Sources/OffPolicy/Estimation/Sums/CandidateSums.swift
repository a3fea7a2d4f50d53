public import Specifications
internal import Statistics

/// The sums of the candidates among which an estimator chooses: those of one ``TunableEstimator`` with several values
/// of its parameter, from the least biased to the most.
struct CandidateSums: StateFields, Equatable {
  /// The candidates.
  let estimators: [any TunableEstimator]
  /// For each candidate, its term and that of the estimator without bias.
  private var sums: [MomentSums]
  private(set) var matched = 0

  init(_ estimators: [any TunableEstimator]) {
    self.estimators = estimators
    sums = [MomentSums](repeating: MomentSums(2), count: estimators.count)
  }

  static func == (a: CandidateSums, b: CandidateSums) -> Bool {
    a.matched == b.matched && a.sums == b.sums
      && a.estimators.map(\.specification) == b.estimators.map(\.specification)
  }

  mutating func add(_ decision: LoggedDecision, times: Int) {
    precondition(times >= 0, "a decision cannot be added a negative number of times")
    if decision.weight > 0 { matched += times }
    for (index, estimator) in estimators.enumerated() {
      let term = estimator.terms(of: decision).mean
      sums[index].add([term, estimator.unbiasedTerm(of: decision), 0, 0, 0, 0], times: times)
    }
  }

  mutating func add(unit decisions: Span<LoggedDecision>) {
    guard !decisions.isEmpty else { return }
    matched += decisions.matched
    for (index, estimator) in estimators.enumerated() {
      var unbiased = ExactSum()
      for place in decisions.indices { unbiased.add(estimator.unbiasedTerm(of: decisions[place])) }
      let unit = estimator.sums(ofUnit: decisions)
      sums[index].add([unit.terms.mean, unbiased.value, 0, 0, 0, 0], decisions: unit.count)
    }
  }

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(
      estimators.map(\.specification) == other.estimators.map(\.specification),
      "sums of different candidates do not merge")
    visit(&matched, other.matched)
    visit(&sums, other.sums)
  }

  var count: Int { sums.first?.decisions ?? 0 }
  var units: Int { sums.first?.units ?? 0 }

  /// Returns the value of a candidate; nil without decisions.
  func value(_ index: Int) -> Double? { sums[index].value(.mean) }

  /// Returns the standard error of a candidate; nil for fewer than two units.
  func standardError(_ index: Int) -> Double? { sums[index].standardError(.mean) }

  /// Returns the mean squared difference of the candidate's value from most of the units and the unbiased value from
  /// the others, over all the splits of the units into 1/folds and the rest; nil for fewer than two units.
  ///
  /// With x the terms of the candidate, y those of the unbiased estimator and K folds, a split into n₁ and n₂ = n/K
  /// units gives x̄₁ − ȳ₂ = mean₁(x + (K − 1)·y) − K·ȳ, whose mean square over all splits, drawn without replacement,
  /// is (x̄ − ȳ)² + s²/((K − 1)·n), where s² is the sample variance of x + (K − 1)·y.
  func loss(_ index: Int, folds: Double) -> Double? {
    let sums = sums[index]
    guard sums.units > 1, let x = ExactSum.quotient(sums.sum(0), sums.decisions),
      let y = ExactSum.quotient(sums.sum(1), sums.decisions)
    else { return nil }
    let others = folds - 1
    let n = Double(sums.decisions)
    let error = sums.deviation((-x - others * y, [1, others]), scale: n)
    return error.map { (x - y) * (x - y) + $0 * $0 / others }
  }
}

/// The sums of an estimator that chooses among candidates.
public struct ChoiceSums: EstimatorSums, StateFields {
  /// A rule of choice.
  enum Rule: Sendable, Equatable {
    /// Lepski's principle, with intervals of so many standard errors to either side.
    case slope(width: Double)
    /// Cross-validation.
    case crossValidation(folds: Double)
  }

  private let rule: Rule
  private var candidates: CandidateSums

  init(_ estimators: [any TunableEstimator], _ rule: Rule) {
    candidates = CandidateSums(estimators)
    self.rule = rule
  }

  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    candidates.add(decision, times: times)
  }

  public mutating func add(unit decisions: Span<LoggedDecision>) { candidates.add(unit: decisions) }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(rule == other.rule, "sums of different rules do not merge")
    visit(&candidates, other.candidates)
  }

  public var count: Int { candidates.count }
  public var units: Int { candidates.units }
  public var matched: Int { candidates.matched }

  /// The value of the chosen candidate; nil for fewer than two units.
  public var value: Double? { chosen.flatMap { candidates.value($0) } }

  /// The standard error of the chosen candidate, which ignores that it was chosen by the same decisions.
  public var standardError: Double? { chosen.flatMap { candidates.standardError($0) } }

  public var choice: Specification? { chosen.map { candidates.estimators[$0].specification } }

  private var chosen: Int? {
    guard units > 1 else { return nil }
    switch rule {
    case .slope(let width): return lastInAll(width)
    case .crossValidation(let folds): return leastLoss(folds)
    }
  }

  /// Returns the last candidate up to which all intervals have a value in common.
  private func lastInAll(_ width: Double) -> Int? {
    var (low, high) = (-Double.infinity, Double.infinity)
    var last: Int?
    for index in candidates.estimators.indices {
      guard let value = candidates.value(index), let error = candidates.standardError(index) else {
        return last
      }
      low = max(low, value - width * error)
      high = min(high, value + width * error)
      guard low <= high else { return last }
      last = index
    }
    return last
  }

  /// Returns the candidate with the least loss, the least biased of equal ones.
  private func leastLoss(_ folds: Double) -> Int? {
    var best: (index: Int, loss: Double)?
    for index in candidates.estimators.indices {
      guard let loss = candidates.loss(index, folds: folds) else { continue }
      if best.map({ loss < $0.loss }) ?? true { best = (index, loss) }
    }
    return best?.index
  }
}
