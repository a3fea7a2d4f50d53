internal import EventLog
internal import OffPolicy
internal import Replay
internal import Statistics
internal import Tables

extension EvaluationReport {
  /// Returns for each evaluation the mean reward of its experiment in the log of the policy itself, and that log.
  ///
  /// - Throws: ``ReportError`` if that log does not have decisions of the experiment; `LogError` if it cannot be read.
  func truths(
    _ evaluations: [Evaluation], _ source: ReportSource
  ) throws -> (values: [TrueValue], log: LogReader?) {
    guard let truth, let bootstrap = plan.bootstrap else { return ([], nil) }
    try ReportError.require(
      truth.experiment == nil || evaluations.count <= 1, "truth-experiment",
      "names one experiment, and \(evaluations.count) are evaluated; name the one that it is for with --experiment")
    let replay = try source.opening(truth.path)
    defer {
      let lost = replay.log.lostEventCount
      if lost > 0 { source.say("lost: \(lost) events of \(truth.path)") }
    }
    let lookup = NameLookup(
      path: truth.path, names: try LogNames(replay.log, [.experiments, .goals]), isEmpty: false,
      message: { source.say($0) })
    let attribution = try lookup.resolving(plan.attribution)
    let names = evaluations.map {
      truth.experiment ?? source.names.string($0.experiment, in: .experiments) ?? ""
    }
    let values = try replay.trueValues(
      names.map { try lookup.code(of: $0, in: .experiments) ?? 0 }, attribution, bootstrap,
      ofWholeDecisions: plan.estimators.allSatisfy(\.judgesWholeDecisions))
    if let name = zip(names, values).first(where: { $1.sums.count == 0 })?.0 {
      throw ReportError(
        .badData, "\(truth.path) has no confirmed decisions of the experiment \"\(name)\"")
    }
    return (values, replay.log)
  }
}

extension EvaluationTables {
  /// Returns the error of each estimator against the mean reward in the policy's own log.
  func truth() -> TableDraft {
    let rows = places.flatMap { place in
      let (truth, errors) = (truths[place.evaluation].sums, errors(place))
      return tally(place).estimates.enumerated().map { index, estimate in
        (
          names: names(place, index), sums: estimate.sums, truth: truth, withheld: verdict(place).withheld,
          error: errors.entries[index]
        )
      }
    }
    return TableDraft(
      name: "truth", title: "Estimators against the policy's own log", of: rows
    ) { columns in
      columns.policy { $0.names }
      columns.estimator { $0.names }
      columns.measure("decisions", "confirmed decisions with a propensity") { $0.sums.count }
      columns.measure("value", "the estimated value") { $0.sums.value }.estimate.main
      columns.measure("se", "its standard error, by unit") { $0.withheld == nil ? $0.sums.standardError : nil }
        .estimate
      columns.explained(
        """
        the mean reward of the confirmed decisions of the experiment in the second log, and its standard error by unit; \
        |value - truth| / |truth|
        """, source: "Y. Saito et al., Open Bandit Dataset and Pipeline, 2021, section 5",
        as: "truth, truth_se, relative_error, truth_decisions, truth_units (--truth)",
        .measure("truth", "the mean reward of a decision in the policy's own log") {
          $0.truth.value
        }.estimate.main, .measure("truth_se", "its standard error, by unit") { $0.truth.standardError }.estimate,
        .measure("relative_error", "|value - truth| / |truth|") { $0.error.error }.share.main)
      columns.explained(
        """
        over --replicates replicates in which every unit of both logs has a Poisson(1) weight, the same in both: mean \
        and \
        percentile interval of the relative error; share of replicates in which it is the smallest, ties shared. The \
        estimator to trust has the smallest error_mean; it stands out if it is the closest 1.5 times as often as by chance
        """,
        source: """
          N. Chamandy et al., Estimating uncertainty for massive data streams, 2012; definition
          """, as: "error_mean, error_low, error_high, closest_share, trust",
        .measure("error_mean", "mean relative error over the bootstrap replicates") {
          $0.error.mean
        }.share.main,
        .measure("error_low", "lower end of the percentile interval of the relative error") {
          $0.error.interval?.low
        }.share, .measure("error_high", "upper end of that interval") { $0.error.interval?.high }.share,
        .measure("closest_share", "replicates in which its error is the smallest") {
          $0.error.closest
        }.share.main)
      columns.measure("truth_decisions", "confirmed decisions in the policy's own log") {
        $0.truth.count
      }.explained(with: "truth")
      columns.measure("truth_units", "distinct units among these") { $0.truth.units }.explained(with: "truth")
      columns.estimateStatus { EstimateStatus.text($0.sums.missingError, withheld: $0.withheld) }
    }
  }

  private func errors(_ place: Place) -> EstimatorErrors {
    let (tally, truth) = (tally(place), truths[place.evaluation])
    return EstimatorErrors(
      zip(tally.estimates, tally.bootstraps).map { ($0.sums.value, $0.sums.value == nil ? nil : $1?.replicates) },
      truth: (truth.sums.value, truth.bootstrap?.replicates ?? []), level: report.level)
  }

  /// The greatest mean relative error of an estimator to trust.
  private static let greatestError = 0.5

  /// Returns which estimator to trust, in a sentence.
  func truthSentence(_ place: Place) -> String {
    let errors = errors(place)
    guard let best = errors.best, let mean = errors.entries[best].mean,
      let closest = errors.entries[best].closest
    else { return "\(title(place)): no estimator has an error that can be resampled" }
    let compared = errors.entries.count { $0.mean != nil }
    // Estimators that do equally well are the closest equally often.
    let standsOut = compared > 1 && closest > 1.5 / Double(compared)
    let name = estimator(best)
    let facts =
      "mean relative error \(Percent.text((mean * 1_000).rounded() / 1_000)), the closest in "
      + "\(Percent.text((closest * 1_000).rounded() / 1_000)) of the replicates"
    guard mean <= Self.greatestError else {
      return "\(title(place)): no estimator is near the truth; the best is \(name): \(facts)"
    }
    if compared == 1 { return "\(title(place)): \(name) has no rival: \(facts)" }
    return standsOut
      ? "\(title(place)): trust \(name): \(facts)"
      : "\(title(place)): no estimator stands out; the best is \(name): \(facts)"
  }
}
