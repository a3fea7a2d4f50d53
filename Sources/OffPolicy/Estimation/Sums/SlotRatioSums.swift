public import Specifications
internal import Statistics

/// An estimator that is the sum over the slots of whole decisions of one ratio of sums each, Σₖ(Nₖ/N)·ΣWₖ·rₖ/ΣWₖ, where
/// Nₖ of N whole decisions have slot k, counted in their order.
public protocol SlotRatioEstimator: OffPolicyEstimator where Sums == SlotRatioSums {}

extension SlotRatioEstimator {
  public var judgesWholeDecisions: Bool { true }
}

/// The sums behind a ``SlotRatioEstimator``.
///
/// The standard error is by unit and by the delta method, as in ``TermSums``. All sums are exact, so the results depend
/// neither on the order of the units nor on how parts were merged.
///
/// - Complexity: for K slots about 220·K² bytes; an addition is O(K²).
public struct SlotRatioSums: EstimatorSums, StateFields {
  /// The weights of the slots of a whole decision.
  enum Weighing: Sendable {
    /// Each slot has its own weight.
    case own
    /// Each slot has the product of the weights up to it.
    case cumulative
  }

  private let weighing: Weighing
  public private(set) var matched = 0
  /// For each slot of a unit, the number of its whole decisions that have the slot, and the sums of W·r and of W.
  private var sums = MomentSums(0, growing: true)

  init(_ weighing: Weighing) { self.weighing = weighing }

  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    precondition(times >= 0, "a decision cannot be added a negative number of times")
    guard times > 0 else { return }
    if decision.weight > 0 { matched += times }
    let values: InlineArray = [1, decision.weight * decision.reward, decision.weight]
    sums.add(values.span, times: times)
  }

  public mutating func add(unit decisions: Span<LoggedDecision>) {
    guard !decisions.isEmpty else { return }
    if decisions.count == 1 { return add(decisions[0]) }
    var unit: [(count: Int, numerator: ExactSum, denominator: ExactSum)] = []
    var (whole, matches) = (0, 0)
    decisions.forEachWholeDecision { slots in
      whole += 1
      if slots.matched == slots.count { matches += 1 }
      var product = 1.0
      for index in slots.indices {
        let weight = slots[index].weight
        product = weighing == .own ? weight : product * weight
        if index == unit.count { unit.append((0, ExactSum(), ExactSum())) }
        unit[index].count += 1
        unit[index].numerator.add(product * slots[index].reward)
        unit[index].denominator.add(product)
      }
    }
    matched += matches
    let values = unit.flatMap { [Double($0.count), $0.numerator.value, $0.denominator.value] }
    sums.add(values.span, decisions: whole)
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    precondition(weighing == other.weighing, "sums of different estimators do not merge")
    visit(&matched, other.matched)
    visit(&sums, other.sums)
  }

  public func validate() throws(StateError) {
    guard sums.width % 3 == 0 else { throw StateError("a slot has other sums than three") }
  }

  public var count: Int { sums.decisions }
  public var units: Int { sums.units }

  /// The estimated value of the target policy; nil without decisions, and if the weights of a slot sum to zero.
  public var value: Double? {
    ratios.map { ratios in ratios.count == 1 ? ratios[0] : ExactSum(ratios).value }
  }

  public var standardError: Double? {
    guard let ratios else { return nil }
    // N times the derivatives with respect to the sums: the estimate is homogeneous of degree 0 in them.
    let n = Double(count)
    var slopes: [Double] = []
    for (slot, ratio) in ratios.enumerated() {
      let (having, weights) = (sums.sum(3 * slot).value, sums.sum(3 * slot + 2).value)
      slopes += [ratio * n / having, having / weights, -ratio * n / weights]
    }
    return sums.deviation((-ExactSum(ratios).value, slopes), scale: n)
  }

  /// For each slot, its share of the whole decisions times its ratio; nil if there is no value.
  private var ratios: [Double]? {
    guard count > 0 else { return nil }
    var ratios: [Double] = []
    for start in stride(from: 0, to: sums.width, by: 3) {
      guard let ratio = ExactSum.quotient(sums.sum(start + 1), sums.sum(start + 2)) else {
        return nil
      }
      ratios.append(ratio * (sums.sum(start).value / Double(count)))
    }
    return ratios
  }
}
