internal import Specifications
internal import Statistics
internal import Tables

/// The result of the sample ratio mismatch test, the same in `compare` and `health`.
struct SampleRatioFinding {
  /// The statistic, its expectation under the null hypothesis, and the p-value; nil if nothing is tested.
  var statistic: Double?
  var expectation: Double?
  var pValue: Double?
  /// The expectation that was tested, or why there was no test.
  var detail: String
  /// A description of the expectation; nil for none.
  var source: String?
  /// Units and expected units of each variant.
  var variants: [(variant: String, units: Int, expected: Double)] = []
  /// Counts and shares for the sequential test, if the shares never changed.
  var deal: (counts: [Int], shares: [Double])?

  /// The minimum expected units of a variant for Pearson's test.
  private static let leastExpected = 5.0

  init(_ intention: UnitAllocation.Intention) {
    switch intention {
    case .unknown(let why): detail = why
    case .shares(let variants, let rest, let source):
      detail = ""
      self.source = source
      test(variants, rest: rest, source)
    case .sums(let variants, let source):
      detail = ""
      self.source = source
      test(variants, source)
    case .inverses(let variants, let source):
      detail = ""
      self.source = source
      test(inverses: variants, source)
    }
  }

  private mutating func test(
    _ variants: [(variant: String, units: Int, share: Double)], rest: Double, _ source: String
  ) {
    var (counts, shares) = (variants.map(\.units), variants.map(\.share))
    if rest > 0 {
      counts.append(0)
      shares.append(rest)
    }
    let (total, whole) = (Double(counts.reduce(0, +)), shares.reduce(0, +))
    guard counts.count > 1 else {
      detail = "only one variant was seen"
      return
    }
    deal = (counts, shares)
    let expected = shares.map { whole > 0 ? total * $0 / whole : 0 }
    self.variants = zip(variants, expected).map { ($0.variant, $0.units, $1) }
    if zip(counts, shares).contains(where: { $0 > 0 && $1 == 0 }) {
      pValue = 0
      detail = "units of a variant that was to have none; \(source)"
    } else if expected.contains(where: { $0 > 0 && $0 < Self.leastExpected }) {
      pValue = SampleRatio.exact(counts: counts, shares: shares)
      detail = "exact binomial, as fewer than 5 units are expected in a variant; \(source)"
    } else if let test = SampleRatio.chiSquared(counts: counts, shares: shares) {
      (statistic, pValue) = (test.statistic, test.pValue)
      expectation = Double(test.degreesOfFreedom)
      detail = "chi-squared, \(test.degreesOfFreedom) df; \(source)"
    }
    if pValue == nil { detail = "there is only one variant with a share" }
    if rest > 0 {
      detail += "; \(NumberText.readable(rest)) is left for variants that nobody got"
    }
  }

  private mutating func test(
    _ variants: [(variant: String, units: Int, expected: Double, variance: Double)],
    _ source: String
  ) {
    self.variants = variants.map { ($0.variant, $0.units, $0.expected) }
    if variants.contains(where: { $0.units > 0 && $0.expected == 0 }) {
      pValue = 0
      detail = "units of a variant that was to have none; \(source)"
      return
    }
    guard let test = SampleRatio.summed(variants.map { ($0.units, $0.expected, $0.variance) })
    else {
      detail = "the policy was always sure of its choice, so there is nothing to test; \(source)"
      return
    }
    (statistic, expectation, pValue) = (test.statistic, 1, test.pValue)
    detail =
      (variants.count > 2
        ? "z^2 of the variant that is farthest off, p times the number of variants"
        : "z^2 = (units - sum of p)^2 / sum of p(1 - p)") + "; \(source)"
  }

  private mutating func test(
    inverses variants: [(variant: String, units: Int, inverses: Double, variance: Double)],
    _ source: String
  ) {
    let units = variants.reduce(0) { $0 + $1.units }
    guard
      let test = SampleRatio.inverse(
        variants.map { ($0.units, $0.inverses, $0.variance) }, units: units)
    else {
      detail =
        "the probabilities of all choices are not known, and no variant has 30 units to test sums of 1/p with"
      return
    }
    (statistic, expectation, pValue) = (test.statistic, 0, test.pValue)
    detail =
      "z of the greatest sum of 1/p against the number of units, p times the number of variants; a variant with too "
      + "few units shows only by one with too many; \(source)"
  }
}
