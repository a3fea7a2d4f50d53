internal import Replay
internal import Statistics

extension ComparisonPlan {
  /// Throws an error for a parameter that is out of range, or that the method does not use.
  func check() throws(ReportError) {
    try ReportError.check(level: level)
    try ReportError.require(
      alternative == .twoSided || method.hasSides, "alternative",
      "must be two-sided: the method \(method.rawValue) has no one-sided test")
    try ReportError.require(
      alpha < 0.5 || alternative == .twoSided && margin == nil, "alpha",
      "must be below 0.5 where one side is tested")
    try ReportError.require(
      correction == nil || method.hasPValue, "correction",
      "adjusts p-values, and the method \(method.rawValue) has none; leave the option out")
    try checkLift()
    try checkMargin()
    try checkCovariate()
    try checkShares()
    try checkMethod()
    if isPostStratified { try checkStrata() }
  }

  private func checkLift() throws(ReportError) {
    try ReportError.require(
      lift == .auto || method != .bootstrap && method != .bayesLift && !isPostStratified,
      "lift-method",
      "must be auto: "
        + (isPostStratified
          ? "post-stratification has no lift"
          : "the method \(method.rawValue) has an interval of its own")
    )
    try ReportError.require(
      !lift.isOfProportions || covariate == nil, "lift-method",
      "\(lift.rawValue) is not adjusted by a covariate; leave out cuped or the lift method")
  }

  private func checkMargin() throws(ReportError) {
    guard let margin else { return }
    try ReportError.require(margin >= 0 && margin.isFinite, "margin", "must be 0 or more")
    try ReportError.require(
      method == .welch && alternative == .twoSided, "margin",
      "is tested by a one-sided Welch test; leave method and alternative at their defaults")
  }

  private func checkCovariate() throws(ReportError) {
    guard let covariate else { return }
    try ReportError.require(
      method.takesCovariate, "cuped", "is not available with the method \(method.rawValue)")
    try ReportError.require(covariate.period > 0, "cuped", "must be longer than 0")
  }

  /// Returns the period of the covariates of metrics; nil if none is adjusted.
  ///
  /// - Throws: ``ReportError`` for metrics with different periods, as one is measured.
  func covariatePeriod(of metrics: [Metric]) throws(ReportError) -> Int64? {
    let own = metrics.compactMap { metric in covariate(of: metric).map { (metric, $0.period) } }
    guard let first = own.first else { return nil }
    if let other = own.first(where: { $0.1 != first.1 }) {
      let texts = [first, other].map { "\($0.0) covariate=\(DurationText.text($0.1))" }
      throw ReportError(
        .badParameter,
        "\(texts[0]) and \(texts[1]) differ, and one period is measured: ask for the metrics one by one, give them the "
          + "same covariate, or give report compare --cuped for all")
    }
    return first.1
  }

  private func checkShares() throws(ReportError) {
    let shares = expectedShares.values
    try ReportError.require(
      shares.isEmpty
        || shares.allSatisfy { $0 >= 0 } && shares.reduce(0, +).isFinite
          && shares.count { $0 > 0 } > 1,
      "expect",
      "must give shares of 0 or more, at least two of them above 0, such as A=0.7,B=0.3")
  }

  /// Checks the parameters that one method has and the others do not.
  private func checkMethod() throws(ReportError) {
    try ReportError.require(
      prior.map { _ in method == .bayes || method == .bayesLift } ?? true, "prior",
      "is used by the methods bayes and bayes-lift only")
    try ReportError.require(
      prior.map {
        $0.mean.isFinite && $0.standardDeviation > 0 && $0.standardDeviation.isFinite
      } ?? true, "prior", "must have a standard deviation above 0")
    try requireOnly(mixingVariance, "mixing-variance", with: .msprt)
    try ReportError.require(
      mixingVariance.map { $0 > 0 && $0.isFinite } ?? true, "mixing-variance", "must be above 0")
    try ReportError.require(
      tightestAt == nil || method == .asymptoticCS, "tightest-at",
      "is used by the method asymptotic-cs only")
    try ReportError.require(
      tightestAt.map { $0 >= 1 && $0.isFinite } ?? true, "tightest-at", "must be at least 1")
    try requireOnly(looks, "look", with: .groupSequential)
    try ReportError.require(
      looks.map { (1...50).contains($0.count) && (1...$0.count).contains($0.look) } ?? true,
      "look", "must be the number of a look and of all looks, at most 50, such as 3/5")
    try ReportError.require(
      resampling == nil || method == .bootstrap, "replicates",
      "and the seed are used by the method bootstrap only")
    try ReportError.require(
      resampling.map { (10...100_000).contains($0.replicates) } ?? true, "replicates",
      "must be from 10 to 100000")
  }

  /// Checks a parameter that a method requires and no other method uses.
  private func requireOnly(
    _ value: (some Any)?, _ name: String, with owner: ComparisonMethod
  ) throws(ReportError) {
    try ReportError.require(
      (value != nil) == (method == owner), name,
      "is required by the method \(owner.rawValue), and used by no other")
  }

  private func checkStrata() throws(ReportError) {
    try ReportError.require(
      method == .welch || method == .z, "post-stratify",
      "has a z test of its own; leave the method at its default")
    try ReportError.require(
      margin == nil && covariate == nil, "post-stratify",
      "cannot be combined with a margin or cuped")
  }
}
