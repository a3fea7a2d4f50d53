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
    case .drawnChoices: "no value: replay needs a policy that is sure of its choice; use snips"
    case .unequalPropensities:
      "no standard error: the propensities of the decisions on which the policy agrees differ, so that their mean is "
        + "not the policy's; use snips"
    case .cutWeights(let share):
      "no standard error: the weights are cut (\(Percent.text((share * 1_000).rounded() / 1_000)) is left), and for "
        + "what is lost an interval would miss the policy's value; use ips or snips"
    case .notFinite: "no value or standard error: a sum is beyond the range of numbers"
    case .model(let share):
      "no standard error: the value rests on the reward model, whose own error is not known: rewards correct it for "
        + "\(Percent.text((share * 1_000).rounded() / 1_000)) of what the policy would choose"
    }
  }

  /// Returns why there is no standard error and no interval, by the estimate or by the log; nil if there are both.
  ///
  /// - Parameters:
  ///   - missing: Why the estimate has no standard error; nil if it has one.
  ///   - withheld: The reason for which what it has is not told; nil if there is none.
  ///   - what: What is not told.
  /// - Returns: The reason.
  static func text(
    _ missing: MissingError?, withheld: String?, _ what: String = "standard error or interval"
  ) -> String? {
    text(missing) ?? withheld.map { "no \(what): \($0)" }
  }

  /// Returns why an estimate has no interval of a method; nil if it has one.
  ///
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - withheld: The reason for which the log cannot answer; nil if it can.
  ///   - index: The index of the method.
  ///   - interval: The interval.
  /// - Returns: The reason.
  static func text(
    _ estimate: OffPolicyEstimate, withheld: String?, interval index: Int, _ interval: Interval?
  ) -> String? {
    if withheld != nil { return text(estimate.sums.missingError, withheld: withheld) }
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
