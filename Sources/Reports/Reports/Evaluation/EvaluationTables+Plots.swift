internal import OffPolicy
internal import Plots
internal import Replay
internal import Statistics
internal import Tables

extension EvaluationTables {
  /// Returns the files of the plots that were requested.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  func files(_ plots: EvaluationPlots) throws(TableError) -> [(path: String, text: String)] {
    var files: [(path: String, text: String)] = []
    if let path = plots.estimates {
      files += Figure.files(
        EvaluationReport.estimates(
          FigureTable(try values().table()), truths: knownValues), path: path)
    }
    if let path = plots.weights {
      files += Figure.files(EvaluationReport.figures(of: try weights().table()), path: path)
    }
    if let path = plots.time {
      files += Figure.files(EvaluationReport.figures(of: try time().table()), path: path)
    }
    return files
  }

  /// By experiment the mean reward of a log of the policy itself.
  private var knownValues: [String: Double] {
    let known = zip(evaluations, truths).compactMap { evaluation, truth in
      truth.sums.value.map { (name(evaluation), $0) }
    }
    return Dictionary(known) { first, _ in first }
  }
}
