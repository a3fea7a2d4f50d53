internal import Replay
internal import Specifications
internal import Tables

extension VerdictFinding {
  /// The name of the rule about a policy that learned or used context.
  static let adaptivePolicy = "adaptive_policy"
  /// The name of the rule about too few events for the method, or for any test.
  static let fewEvents = "few_events"
  /// The name of the rule that says that refunds are among conversions.
  static let refunds = "negative_conversions"
  /// The maximum number of variants that a finding lists.
  private static let listed = 5

  /// Returns the findings of first exposures: a sample ratio mismatch, units in several variants, a policy that
  /// learned.
  static func findings(
    of allocation: UnitAllocation, _ ratio: SampleRatioFinding?
  ) -> [VerdictFinding] {
    var findings: [VerdictFinding] = []
    if let ratio, let pValue = ratio.pValue, pValue < SampleRatioRule.level {
      findings.append(Self(HealthCheck.Name.sampleRatio.rawValue, .forbids, text(ratio, pValue)))
    }
    // The log may have a mismatch that forbids the comparison.
    if let ratio, ratio.pValue == nil, ratio.detail == UnitAllocation.unstored {
      findings.append(Self(HealthCheck.Name.sampleRatio.rawValue, .untestable, ratio.detail))
    }
    let crossing = allocation.judgingCrossedUnits(HealthCheck(.crossedUnits))
    if let crossed = Self(crossing, of: .init(.reward)) { findings.append(crossed) }
    if allocation.isAdaptive {
      findings.append(
        Self(
          adaptivePolicy, .untestable,
          "logged probabilities change, as those of a policy that learns or uses context: means are of different "
            + "situations; report adaptive is valid for either"
        ))
    }
    return findings
  }

  private static func text(_ ratio: SampleRatioFinding, _ pValue: Double) -> String {
    let variants = ratio.variants.prefix(listed).map {
      "\($0.variant) has \($0.units) units instead of \(AnswerNumber.number($0.expected))"
    }
    let rest = ratio.variants.count > listed ? ", ..." : ""
    let list = variants.isEmpty ? "" : ": " + variants.joined(separator: ", ") + rest
    return
      "sample ratio mismatch (\(AnswerNumber.pValue(pValue)), limit "
      + "\(NumberText.readable(SampleRatioRule.level)))\(list)"
  }
}
