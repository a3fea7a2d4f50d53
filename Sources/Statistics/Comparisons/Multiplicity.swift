/// Multiple-testing adjustments of p-values.
///
/// An adjusted p-value is compared with the same significance level as a single one. Results are in the order of the
/// given p-values.
public enum Multiplicity: String, Sendable, CaseIterable {
  /// Each p-value times their number: controls the family-wise error rate.
  case bonferroni
  /// S. Holm (1979), step-down: controls the family-wise error rate under any dependence.
  case holm
  /// Y. Hochberg (1988), step-up: controls the family-wise error rate of independent tests.
  case hochberg
  /// G. Hommel (1988): controls the family-wise error rate of independent tests, with more power.
  case hommel
  /// Y. Benjamini and Y. Hochberg (1995): controls the false discovery rate of independent tests.
  case benjaminiHochberg = "bh"
  /// Y. Benjamini and D. Yekutieli (2001): controls the false discovery rate under any dependence.
  case benjaminiYekutieli = "by"

  /// Returns the adjusted p-values, none above 1.
  ///
  /// - Complexity: O(n log n); O(n²) for Hommel's.
  public func adjusted(_ pValues: [Double]) -> [Double] {
    let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
    let sorted = order.map { pValues[$0] }
    var result = pValues
    for (place, value) in zip(order, ascending(sorted)) { result[place] = min(1, value) }
    return result
  }

  private func ascending(_ p: [Double]) -> [Double] {
    let n = p.count
    let count = Double(n)
    switch self {
    case .bonferroni: return p.map { $0 * count }
    case .holm: return Self.rising(p.indices.map { p[$0] * Double(n - $0) })
    case .hochberg: return Self.falling(p.indices.map { p[$0] * Double(n - $0) })
    case .hommel: return Self.hommel(p)
    case .benjaminiHochberg: return Self.falling(p.indices.map { p[$0] * count / Double($0 + 1) })
    case .benjaminiYekutieli:
      let harmonic = p.indices.reduce(0.0) { $0 + 1 / Double($1 + 1) }
      return Self.falling(p.indices.map { p[$0] * count * harmonic / Double($0 + 1) })
    }
  }

  /// The running maximum.
  private static func rising(_ values: [Double]) -> [Double] {
    var greatest = 0.0
    return values.map { value in
      greatest = max(greatest, value)
      return greatest
    }
  }

  /// The running minimum from the end.
  private static func falling(_ values: [Double]) -> [Double] {
    var least = Double.infinity
    return values.reversed().map { value -> Double in
      least = min(least, value)
      return least
    }.reversed()
  }

  /// S. P. Wright, "Adjusted p-values for simultaneous inference" (Biometrics 48, 1992).
  private static func hommel(_ p: [Double]) -> [Double] {
    let n = p.count
    var adjusted = p
    guard n > 1 else { return p }
    for m in stride(from: n, through: 2, by: -1) {
      let (last, factor) = (n - m + 1..<n, Double(m))
      var least = Double.infinity
      for index in last {
        let rank = Double(m + index - n + 1)
        least = min(least, factor * p[index] / rank)
      }
      for index in last { adjusted[index] = max(adjusted[index], least) }
      for index in 0...(n - m) {
        adjusted[index] = max(adjusted[index], min(least, factor * p[index]))
      }
    }
    return adjusted
  }
}
