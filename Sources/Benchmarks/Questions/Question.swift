import EventLog
import Replay

/// A question to a log whose answer has few rows. It is also put to other engines; see `peers`.
protocol Question {
  /// Answers the question on the given number of threads.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  func answer(_ log: LogReader, jobs: Int) throws -> [AnswerRow]
}

/// The questions, by their names in commands and files.
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

  /// A description of the question, for a table of steps.
  var words: String {
    switch self {
    case .countsAndSums: "counts and sums"
    case .lastTouch: "last touch"
    case .distinctUnits: "distinct units"
    }
  }
}

/// A number of an answer, with its subject. Names that do not apply are empty.
struct AnswerRow {
  var experiment = ""
  var variant = ""
  var goal = ""
  var measure: String
  var value: Double
}

/// The names of a log for answers.
struct AnswerNames {
  private let names: LogNames

  /// - Throws: `LogError` if the names cannot be read.
  init(_ log: LogReader) throws {
    names = try LogNames(log, [.experiments, .variants, .goals])
  }

  func goal(_ code: UInt32) -> String { names.string(code, in: .goals) ?? "" }

  /// Returns a row of an answer about a variant of an experiment.
  func row(_ variant: CountProjector.Variant, _ measure: String, _ value: Double) -> AnswerRow {
    AnswerRow(
      experiment: names.string(variant.experiment, in: .experiments) ?? "",
      variant: names.string(variant.variant, in: .variants) ?? "", measure: measure, value: value)
  }
}
