internal import OffPolicy
internal import Specifications
internal import Statistics
internal import Tables

/// Why an estimate has no value, no standard error or no interval, in words.
enum EstimateStatus {
  /// Returns why there is no standard error; nil if there is one.
  static func text(_ missing: MissingError?) -> String? {
    switch missing {
    case nil: nil
    case .noValue: "no value: no decision that can be used has weight"
    case .fewUnits: "no standard error: fewer than two units"
    case .singleUnit: "no standard error: a single unit has weight"
    case .noReward: "no standard error: no reward other than 0 has weight"
    case .noVariance: "no standard error: the units do not differ"
    case .notFinite: "no value or standard error: a sum is beyond the range of numbers"
    case .model(let share):
      "no standard error: the value rests on the reward model, whose own error is not known: rewards correct it for "
        + "\(Percent.text((share * 1_000).rounded() / 1_000)) of what the policy would choose"
    }
  }

  /// Returns why there is no standard error, or no interval around a value for a reason; nil if there are both.
  static func text(_ missing: MissingError?, bias: String?) -> String? {
    text(missing) ?? bias.map { "no interval: \($0)" }
  }

  /// Returns why an estimate has no interval of a method; nil if it has one.
  ///
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - bias: The reason for which the value is not that of the policy; nil if there is none.
  ///   - index: The index of the method.
  ///   - interval: The interval.
  /// - Returns: The reason.
  static func text(
    _ estimate: OffPolicyEstimate, bias: String?, interval index: Int, _ interval: Interval?
  ) -> String? {
    if bias != nil { return text(estimate.sums.missingError, bias: bias) }
    guard interval == nil, estimate.methods.indices.contains(index) else {
      return text(estimate.sums.missingError)
    }
    let method = estimate.methods[index]
    let estimator = estimate.sums.estimator.specification
    guard estimate.applies(index) else {
      return "\(method) does not apply to \(estimator)"
    }
    if let reason = text(estimate.sums.missingError) { return reason }
    guard method.name != ConfidenceSequence.info.name else {
      return
        "not valid yet: fewer than \(SequentialRule.leastUnits) units with weight, or \(SequentialRule.leastEvents) "
        + "of them with and without a reward"
    }
    return
      "no interval: \(method) has none for these decisions (rewards outside of its range, or several decisions of a "
      + "unit)"
  }
}

extension ReportColumns {
  /// The column of the reason.
  static func estimateStatus(_ reason: @escaping (Row) -> String?) -> Self {
    measure(
      "status", "why there is no value, standard error or interval; empty if there is one", reason
    ).sentence
  }
}
