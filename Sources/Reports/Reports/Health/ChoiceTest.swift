internal import Replay
internal import Statistics

/// Tests whether variants were chosen as often as their probabilities say: a z test for each, with the variance under
/// the probabilities, adjusted by Holm for their number.
struct ChoiceTest {
  /// What the test of a variant found.
  struct Finding {
    let z: Double
    let pValue: Double
  }

  /// One for each variant; nil where it was too rarely neither sure nor impossible.
  let findings: [Finding?]

  init(_ variants: [(chosen: Int, expected: Double, variance: Double)]) {
    let z = variants.map { one in
      one.variance < Self.leastVariance ? nil : (Double(one.chosen) - one.expected) / one.variance.squareRoot()
    }
    let tested = z.compactMap { $0 }
    let adjusted = Multiplicity.holm.adjusted(tested.map { 2 * StandardNormal.upperTail(abs($0)) })
    var next = adjusted.makeIterator()
    findings = z.map { z in z.flatMap { z in next.next().map { Finding(z: z, pValue: $0) } } }
  }

  /// The verdict on all variants together; not applicable without a finding.
  var verdict: HealthVerdict {
    findings.compactMap { $0?.pValue }.min().map(PValueRule.usual.verdict) ?? .notApplicable
  }

  /// The minimum variance of a count for the normal approximation.
  private static let leastVariance = 10.0
}
