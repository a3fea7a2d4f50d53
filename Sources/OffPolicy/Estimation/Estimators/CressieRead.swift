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

  public func add(unit decisions: Span<LoggedDecision>, times: Int, to sums: inout CressieReadSums) {
    sums.add(unit: decisions, times: times)
  }

  public func value(of sums: CressieReadSums) -> Double? { sums.value }

  public func standardError(of sums: CressieReadSums) -> Double? { sums.standardError }
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
  private(set) var range: WeightRange
  /// Of w, w², wr, w²r and r.
  public private(set) var moments = MomentSums(5)

  init(_ range: WeightRange) { self.range = range }

  mutating func add(unit decisions: Span<LoggedDecision>, times: Int) {
    for index in decisions.indices { range.extend(to: decisions[index].weight) }
    let unit = decisions.sums {
      let (w, r) = ($0[0].weight, $0[0].reward)
      return [w, w * w, w * r, w * w * r, r, 0]
    }
    moments.add(unit, times: times)
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit.least(&range.low, other.range.low)
    visit.greatest(&range.high, other.range.high)
    visit(&moments, other.moments)
  }

  fileprivate var value: Double? { estimate.flatMap { $0.value.isFinite ? $0.value : nil } }

  var standardError: Double? {
    guard moments.units > 1, moments.isFinite, let estimate, estimate.value.isFinite else { return nil }
    let n = Double(moments.decisions)
    var slopes: [Double] = []
    for index in 0..<5 { slopes.append(estimate.slopes[index] * n) }
    let onCount = estimate.slopes[5] * n
    let total = slopes.indices.reduce(onCount * n) { $0 + slopes[$1] * moments.sum($1).value }
    let squares = max(0, moments.squares(onCount, slopes) - total * total / Double(moments.units))
    let error = (squares * Double(moments.units) / Double(moments.units - 1)).squareRoot() / n
    return error.isFinite ? error : nil
  }

  /// The estimate with its derivatives with respect to the sums, and to n at the end.
  private var estimate: Sensitive? {
    guard moments.decisions > 0 else { return nil }
    let total = { (index: Int) in Sensitive(moments.sum(index).value, variable: index) }
    let (w, ww, wr, wwr, r) = (total(0), total(1), total(2), total(3), total(4))
    let (n, one) = (Sensitive(Double(moments.decisions), variable: 5), Sensitive(1))
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
