internal import EventLog
internal import Replay
internal import Statistics
internal import Tables

extension EvaluationReport {
  /// Returns for each evaluation the mean reward of its experiment in the log of the policy itself.
  ///
  /// - Throws: ``ReportError`` if that log does not have decisions of the experiment; `LogError` if it cannot be read.
  func truths(_ evaluations: [Evaluation], _ source: ReportSource) throws -> [TrueValue] {
    guard let truth, let bootstrap = plan.bootstrap else { return [] }
    let log = try LogReader(truth.path)
    let lookup = NameLookup(
      path: truth.path, names: try LogNames(log, [.experiments]), isEmpty: false,
      message: { source.say($0) })
    return try evaluations.map { evaluation in
      let name =
        truth.experiment ?? source.names.string(evaluation.experiment, in: .experiments) ?? ""
      let code = try lookup.code(of: name, in: .experiments) ?? 0
      let value = try LogReplay(log).trueValue(
        experiment: code, plan.attribution, bootstrap,
        ofWholeDecisions: plan.estimators.allSatisfy(\.judgesWholeDecisions))
      guard value.sums.count > 0 else {
        throw ReportError(
          .badData, "\(truth.path) has no confirmed decisions of the experiment \"\(name)\"")
      }
      return value
    }
  }
}

extension EvaluationTables {
  private static let truthColumns: [TableColumn] =
    keyColumns + [
      estimatorColumn,
      .measure("decisions", .integer, "confirmed decisions with a propensity"),
      .measure("value", .decimal, "the estimated value").estimate.main,
      .measure("se", .decimal, "its standard error, by unit").estimate,
      .measure("truth", .decimal, "the mean reward of a decision in the policy's own log").estimate
        .main,
      .measure("truth_se", .decimal, "its standard error, by unit").estimate,
      .measure("relative_error", .decimal, "|value - truth| / |truth|").share.main,
      .measure("error_mean", .decimal, "mean relative error over the bootstrap replicates").share
        .main,
      .measure("error_low", .decimal, "lower end of the percentile interval of the relative error")
        .share,
      .measure("error_high", .decimal, "upper end of that interval").share,
      .measure("closest_share", .decimal, "replicates in which its error is the smallest").share
        .main,
      .measure("truth_decisions", .integer, "confirmed decisions in the policy's own log"),
      .measure("truth_units", .integer, "distinct units among these"), EstimateStatus.column,
    ]

  /// Returns the error of each estimator against the mean reward in the policy's own log.
  func truth() throws(TableError) -> Table {
    var table = try Table(
      name: "truth", title: "Estimators against the policy's own log", columns: Self.truthColumns)
    for place in places {
      let truth = truths[place.evaluation].sums
      let errors = errors(place)
      for (index, estimate) in tally(place).estimates.enumerated() {
        let error = errors.entries[index]
        try table.append(
          row: cells(place) + [
            .text(estimator(index)), .integer(estimate.sums.count),
            TableCell(estimate.sums.value), TableCell(estimate.sums.standardError),
            TableCell(truth.value), TableCell(truth.standardError), TableCell(error.error),
            TableCell(error.mean), TableCell(error.interval?.low), TableCell(error.interval?.high),
            TableCell(error.closest), .integer(truth.count), .integer(truth.units),
            TableCell(EstimateStatus.text(estimate.sums.missingError)),
          ])
      }
    }
    return table
  }

  private func errors(_ place: Place) -> EstimatorErrors {
    let (tally, truth) = (tally(place), truths[place.evaluation])
    return EstimatorErrors(
      zip(tally.estimates, tally.bootstraps).map { ($0.sums.value, $1?.replicates) },
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
