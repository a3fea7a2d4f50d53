public import Specifications
internal import Statistics

/// `cressie-read:wmin=0`: the value under the reweighting of the decisions that is nearest to the log, in the
/// Cressie-Read divergence of power −2, and gives the weights a mean of 1.
///
/// N. Karampatziakis, J. Langford and P. Mineiro, "Empirical likelihood for contextual bandits" (NeurIPS 2020), as in
/// vw-estimators 0.2.2: mass that the decisions cannot hold is given the mean reward. Weights are between wmin and
/// wmax, without limit if that is not given; a weight beyond extends the range. The standard error is by the delta
/// method.
public struct CressieRead: OffPolicyEstimator {
  public static let info = SpecificationInfo(
    "cressie-read", "reweighting nearest to the log that gives the weights a mean of 1",
    source: "Karampatziakis, Langford and Mineiro 2020", example: "cressie-read:wmin=0")

  /// The weights that are possible.
  public var weightLimits = WeightLimits()
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}

  public static var parameters: [Field] { Field.group(\.weightLimits) }

  public var usesWeightsAlone: Bool { true }

  public func makeSums() -> CressieReadSums { CressieReadSums(WeightRange(weightLimits)) }
}

/// The weights that are possible.
public struct WeightLimits: ParameterGroup, Hashable {
  /// The least weight.
  public var least = 0.0
  /// The greatest weight; nil without a limit.
  public var greatest: Double?

  /// Creates limits without a greatest weight.
  public init() {}

  public static var parameters: [Field] {
    Field.number("wmin", \.least, in: 0...0.999, "least weight that is possible, {range}")
    Field.number(
      "wmax", \.greatest, in: 1.001...1e15,
      "greatest weight that is possible, {range}; no limit if not given")
  }
}

/// The range of the weights that are possible.
struct WeightRange: Sendable, Equatable {
  /// The least weight, below 1.
  var low: Double
  /// The greatest weight, above 1; infinite without a limit.
  var high: Double

  init(_ limits: WeightLimits) {
    (low, high) = (limits.least, limits.greatest ?? .infinity)
  }

  /// Extends the range to a weight.
  mutating func extend(to weight: Double) {
    low = min(low, weight)
    high = max(high, weight)
  }
}

/// The sums behind ``CressieRead``.
public struct CressieReadSums: EstimatorSums, StateFields {
  public private(set) var matched = 0
  private(set) var range: WeightRange
  /// Of w, w², wr, w²r and r.
  private var sums = MomentSums(5)

  init(_ range: WeightRange) { self.range = range }

  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    precondition(times >= 0, "a decision cannot be added a negative number of times")
    guard times > 0 else { return }
    if decision.weight > 0 { matched += times }
    range.extend(to: decision.weight)
    sums.add(Self.values(decision), times: times)
  }

  public mutating func add(unit decisions: Span<LoggedDecision>) {
    guard !decisions.isEmpty else { return }
    matched += decisions.matched
    var parts = [ExactSum](repeating: ExactSum(), count: 5)
    for index in decisions.indices {
      range.extend(to: decisions[index].weight)
      let values = Self.values(decisions[index])
      for part in parts.indices { parts[part].add(values[part]) }
    }
    var values = UnitValues(repeating: 0)
    for part in parts.indices { values[part] = parts[part].value }
    sums.add(values, decisions: decisions.count)
  }

  private static func values(_ decision: LoggedDecision) -> UnitValues {
    let (w, r) = (decision.weight, decision.reward)
    return [w, w * w, w * r, w * w * r, r, 0]
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&matched, other.matched)
    visit.least(&range.low, other.range.low)
    visit.greatest(&range.high, other.range.high)
    visit(&sums, other.sums)
  }

  public var count: Int { sums.decisions }
  public var units: Int { sums.units }
  public var value: Double? { estimate.flatMap { $0.value.isFinite ? $0.value : nil } }

  public var standardError: Double? {
    guard units > 1, sums.isFinite, let estimate, estimate.value.isFinite else { return nil }
    let n = Double(count)
    var slopes: [Double] = []
    for index in 0..<5 { slopes.append(estimate.slopes[index] * n) }
    let onCount = estimate.slopes[5] * n
    let total = slopes.indices.reduce(onCount * n) { $0 + slopes[$1] * sums.sum($1).value }
    let squares = max(0, sums.squares(onCount, slopes) - total * total / Double(units))
    let error = (squares * Double(units) / Double(units - 1)).squareRoot() / n
    return error.isFinite ? error : nil
  }

  /// The estimate with its derivatives with respect to the sums, and to n at the end.
  private var estimate: Sensitive? {
    guard count > 0 else { return nil }
    let total = { (index: Int) in Sensitive(sums.sum(index).value, variable: index) }
    let (w, ww, wr, wwr, r) = (total(0), total(1), total(2), total(3), total(4))
    let (n, one) = (Sensitive(Double(count), variable: 5), Sensitive(1))
    let extreme = w.value < n.value ? range.high : range.low
    var (value, missing) = (wr / n, one - w / n)
    if extreme.isFinite {
      // One more decision, at the extreme weight, makes a mean weight of 1 possible.
      let f = Sensitive(extreme)
      let (a, b) = ((f + w) / (n + one), (f * f + ww) / (n + one))
      let variance = b - a * a
      let (gamma, beta) = ((b - a) / variance, (one - a) / variance)
      value = (gamma * wr + beta * wwr) / (n + one)
      missing = one - (gamma * w + beta * ww) / (n + one)
    }
    return missing.value > 0 ? value + missing * r / n : value
  }
}
