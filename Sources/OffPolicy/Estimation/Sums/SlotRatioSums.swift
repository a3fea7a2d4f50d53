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
public struct SlotRatioSums: EstimatorSums {
  /// The weights of the slots of a whole decision.
  enum Weighing: Sendable {
    /// Each slot has its own weight.
    case own
    /// Each slot has the product of the weights up to it.
    case cumulative
  }

  private let weighing: Weighing
  public private(set) var count = 0
  public private(set) var units = 0
  public private(set) var matched = 0
  /// The sums of a unit's values: its number of whole decisions, and for each slot the number of these that have it,
  /// and the sums of W·r and of W.
  private var sums = [ExactSum()]
  /// The sums of the products of values i ≤ j, column by column.
  private var products = [ExactSum()]

  init(_ weighing: Weighing) { self.weighing = weighing }

  public mutating func add(_ decision: LoggedDecision, times: Int = 1) {
    precondition(times >= 0, "a decision cannot be added a negative number of times")
    guard times > 0 else { return }
    if decision.weight > 0 { matched += times }
    add([1, 1, decision.weight * decision.reward, decision.weight], count: 1, times: times)
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
    add([Double(whole)] + values, count: whole, times: 1)
  }

  private mutating func add(_ values: [Double], count: Int, times: Int) {
    self.count += count * times
    units += times
    widen(to: values.count)
    for (j, value) in values.enumerated() where value != 0 {
      sums[j].add(value, times: times)
      for i in 0...j where values[i] != 0 {
        products[Self.place(i, j)].add(product: values[i], value, times: times)
      }
    }
  }

  private mutating func widen(to width: Int) {
    guard width > sums.count else { return }
    sums += Array(repeating: ExactSum(), count: width - sums.count)
    products += Array(repeating: ExactSum(), count: Self.place(0, width) - products.count)
  }

  private static func place(_ i: Int, _ j: Int) -> Int { j * (j + 1) / 2 + i }

  public mutating func merge(_ other: SlotRatioSums) {
    precondition(weighing == other.weighing, "sums of different estimators do not merge")
    count += other.count
    units += other.units
    matched += other.matched
    widen(to: other.sums.count)
    for index in other.sums.indices { sums[index].merge(other.sums[index]) }
    for index in other.products.indices { products[index].merge(other.products[index]) }
  }

  public func write(to writer: inout StateWriter) {
    for tally in [count, units, matched, sums.count / 3] { writer.write(tally: tally) }
    for sum in sums + products { sum.write(to: &writer) }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    (count, units, matched) = (
      try reader.readTally(), try reader.readTally(), try reader.readTally()
    )
    let width = 1 + 3 * (try reader.readCount(below: 1 << 20))
    // Sums are added one by one, so that their number is bounded by that of the bytes.
    (sums, products) = ([], [])
    for _ in 0..<width { sums.append(try ExactSum(from: &reader)) }
    for _ in 0..<Self.place(0, width) { products.append(try ExactSum(from: &reader)) }
  }

  /// The estimated value of the target policy; nil without decisions, and if the weights of a slot sum to zero.
  public var value: Double? {
    ratios.map { ratios in ratios.count == 1 ? ratios[0] : ExactSum(ratios).value }
  }

  public var standardError: Double? {
    guard units > 1, let ratios, sums.allSatisfy(\.value.isFinite),
      products.allSatisfy(\.value.isFinite)
    else { return nil }
    // N times the derivatives with respect to the sums: the estimate is homogeneous of degree 0 in them.
    let n = Double(count)
    var slopes = [-ExactSum(ratios).value]
    for (slot, ratio) in ratios.enumerated() {
      let start = 1 + 3 * slot
      let (having, weights) = (sums[start].value, sums[start + 2].value)
      slopes += [ratio * n / having, having / weights, -ratio * n / weights]
    }
    let squares = squares(slopes)
    guard squares.isFinite else { return nil }
    let u = Double(units)
    return (squares * u / (u - 1)).squareRoot() / n
  }

  /// For each slot, its share of the whole decisions times its ratio; nil if there is no value.
  private var ratios: [Double]? {
    guard count > 0 else { return nil }
    var ratios: [Double] = []
    for slot in 0..<sums.count / 3 {
      let start = 1 + 3 * slot
      guard let ratio = ExactSum.quotient(sums[start + 1], sums[start + 2]) else { return nil }
      ratios.append(ratio * (sums[start].value / Double(count)))
    }
    return ratios
  }

  /// Returns the sum over units of the square of a linear combination of their values; a result within the rounding
  /// error of the coefficients is zero.
  private func squares(_ coefficients: [Double]) -> Double {
    var total = ExactSum()
    var scale = 0.0
    for j in coefficients.indices {
      for i in 0...j {
        let factor = i == j ? coefficients[i] : 2 * coefficients[i]
        let high = factor * coefficients[j]
        let low = (-high).addingProduct(factor, coefficients[j])
        let product = products[Self.place(i, j)]
        for term in product.expansion {
          total.add(product: high, term)
          total.add(product: low, term)
        }
        if i == j { scale += high * product.value }
      }
    }
    return total.value <= scale * 0x1p-100 ? 0 : total.value
  }
}
