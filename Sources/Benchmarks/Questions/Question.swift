import EventLog
import Reports

/// A question to a log whose answer has few rows. Others answer it too; see `peers`.
protocol Question {
  /// Answers it on as many threads as jobs.
  ///
  /// - Throws: `LogError` when the log cannot be read.
  func answer(_ log: LogReader, jobs: Int) throws -> [AnswerRow]
}

/// The questions by the names that commands and files have for them.
enum QuestionName: String, CaseIterable {
  case countsAndSums = "counts_and_sums"
  case lastTouch = "last_touch"
  case distinctUnits = "distinct_units"

  var question: any Question {
    switch self {
    case .countsAndSums: CountsAndSums()
    case .lastTouch: LastTouch()
    case .distinctUnits: DistinctUnits()
    }
  }

  /// What it asks, for a table of steps.
  var words: String {
    switch self {
    case .countsAndSums: "counts and sums"
    case .lastTouch: "last touch"
    case .distinctUnits: "distinct units"
    }
  }
}

/// A number of an answer, and what it is about. A name is empty where it does not apply.
struct AnswerRow {
  var experiment = ""
  var variant = ""
  var goal = ""
  var measure: String
  var value: Double
}

/// The variants of the experiments of a log, with one code for both.
struct PairCodes {
  /// So many pairs are counted at most.
  private static let largestCount = 1 << 20

  /// The code after the last one.
  let limit: UInt32
  private let variantLimit: UInt32
  private let names: LogNames
  /// By row of the last batch.
  private(set) var codes: [UInt32] = []

  /// - Throws: `LogError` when the names cannot be read, and `ProcessRun.Failure` when there are more pairs than
  ///   arrays should have elements.
  init(_ log: LogReader) throws {
    variantLimit = max(1, log.codeLimit(.variants))
    let (count, overflow) = max(1, log.codeLimit(.experiments)).multipliedReportingOverflow(
      by: variantLimit)
    guard !overflow, count <= Self.largestCount else {
      throw ProcessRun.Failure(
        description:
          "\(log.path) has too many names of experiments and variants to count all pairs; "
          + "ask a log of `bandolier-bench journey`")
    }
    limit = count
    names = try LogNames(log, [.experiments, .variants])
  }

  /// Takes the pairs of a batch.
  mutating func load(_ batch: EventBatch) {
    let variantLimit = variantLimit
    codes.removeAll(keepingCapacity: true)
    codes.append(
      contentsOf: zip(batch.experiments, batch.variants).lazy.map { $0 &* variantLimit &+ $1 })
  }

  /// A row of an answer about a pair.
  func row(_ pair: Int, _ measure: String, _ value: Double) -> AnswerRow {
    row(UInt32(pair) / variantLimit, UInt32(pair) % variantLimit, measure, value)
  }

  /// A row of an answer about a variant of an experiment.
  func row(
    _ experiment: UInt32, _ variant: UInt32, _ measure: String, _ value: Double
  ) -> AnswerRow {
    AnswerRow(
      experiment: names.string(experiment, in: .experiments) ?? "",
      variant: names.string(variant, in: .variants) ?? "", measure: measure, value: value)
  }
}
