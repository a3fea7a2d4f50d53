internal import Replay
internal import Statistics

/// The estimates of a variant, and the reason for those that are missing.
struct AdaptiveRow {
  let arm: ArmNames
  /// The rewards of the decisions that chose it.
  let rewards: Moments
  let method: String
  let baseline: String?
  /// The adaptively weighted mean.
  private(set) var mean: Double?
  private(set) var standardError: Double?
  private(set) var interval: Interval?
  /// The difference to the baseline.
  private(set) var difference: Difference?
  /// The p-value of its choices against their probabilities, adjusted for the variants of its place.
  var propensityPValue: Double?
  private(set) var status = "ok"

  /// The status where the policy did not choose by the logged probabilities.
  static let misfit = "probabilities do not fit the choices"

  /// The status where the variant, or the baseline, was not among the choices of some decisions.
  private static let partly = "not always available"
  /// The status where no decision had both.
  private static let apart = "never available together with the baseline"
  /// The statuses of means that are not of all decisions.
  static let limited: Set<String> = [partly, apart]

  /// Leaves every estimate empty.
  mutating func refuse() { status = Self.misfit }

  /// Takes what is estimated.
  mutating func fill(
    _ stream: AdaptiveStream, _ estimate: AdaptiveEstimate?, hasBaseline: Bool, isBaseline: Bool,
    _ level: Double
  ) {
    guard let estimate else {
      status =
        stream.withoutProbabilities > 0 ? "needs probabilities" : "probabilities cannot be right"
      return
    }
    guard estimate.mean.refused == 0, (estimate.contrast?.refused ?? 0) == 0 else {
      status = "values too large"
      return
    }
    guard let mean = estimate.mean.estimate, let error = estimate.mean.standardError else {
      status = "too few decisions"
      return
    }
    guard mean.isFinite, error.isFinite else {
      status = "values too large"
      return
    }
    self.mean = mean
    status = Self.lacking(estimate.mean.support) ?? status
    if status == "ok", Self.isTooSmall(error) { status = "values too small" }
    if status == "ok", let interval = estimate.mean.interval(level: level) {
      (standardError, self.interval) = (error, interval)
    }
    if status == "ok", estimate.mean.unavailable > 0 { status = Self.partly }
    guard !isBaseline else { return }
    guard hasBaseline, let contrast = estimate.contrast else {
      status = "the baseline has no decisions"
      return
    }
    compare(contrast, level)
  }

  private mutating func compare(_ contrast: AdaptivelyWeightedContrast, _ level: Double) {
    guard contrast.treatment.count > 0 else {
      status = Self.apart
      return
    }
    guard contrast.isEnough else {
      let own = Self.lacking(contrast.treatment.support)
      let other = Self.lacking(contrast.control.support).map { "baseline: \($0)" }
      status = own ?? other ?? status
      return
    }
    guard let difference = contrast.difference(level: level),
      difference.estimate.isFinite, difference.standardError?.isFinite == true
    else {
      status = "values too large"
      return
    }
    if let error = difference.standardError, Self.isTooSmall(error) {
      status = "values too small"
      return
    }
    self.difference = difference
    if status == "ok", contrast.unavailable > 0 { status = Self.partly }
  }

  /// Returns whether the square of an error is below the range of numbers, so that it is far from the error.
  private static func isTooSmall(_ error: Double) -> Bool {
    error * error < .leastNormalMagnitude
  }

  /// Returns why there is no interval.
  private static func lacking(_ support: AdaptiveSupport) -> String? {
    guard !support.isEnough else { return nil }
    return support.count > 1 && support.isConstant ? "no variance" : "too few decisions"
  }
}
