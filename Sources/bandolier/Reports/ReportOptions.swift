import ArgumentParser
import Reports
import Tables

/// The options of a report on the command line.
///
/// The options common to all reports (the log, filters, output) are in ``ReportVerb``.
protocol ReportOptions: ParsableArguments {
  /// The type of the report.
  associatedtype Made: Report
  /// The type of the log argument.
  associatedtype Log: ReportLogArgument = LogOrDatabaseArgument

  /// The usage line of the verb.
  static var usage: String { get }
  /// The discussion in the verb's help.
  static var discussion: String { get }
  /// The worked examples; see ``WorkedExamples``.
  static var examples: [String] { get }

  /// The given options that are not available with a database.
  var refused: [String] { get }

  /// Creates the report.
  ///
  /// - Throws: `ReportError` or `ValidationError` when an option is out of range.
  func report() throws -> Made

  /// Creates the report of an experiment with an analysis plan: options that were given take precedence over the plan.
  ///
  /// - Throws: `ReportError` or `ValidationError` when an option or a setting of the plan is out of range.
  func report(for entry: AnalysisPlan.Entry) throws -> Made

  /// Creates the report of a whole analysis plan, nil for none given; nil if it is made experiment by experiment.
  func report(of plan: AnalysisPlan?) throws -> Made?

  /// Whether the report has a breakdown by the dimensions of a plan.
  static var takesDimensions: Bool { get }

  /// Creates the table when no log is given.
  func tableWithoutLog() throws -> Table

  /// Validates the options against those common to all reports.
  func validate(with verb: ReportVerb<Self>) throws
}

extension ReportOptions {
  static var usage: String { "bandolier report \(Made.name) <log or database> [<options>]" }

  var refused: [String] { [] }

  func report(for entry: AnalysisPlan.Entry) throws -> Made { try report() }

  func report(of plan: AnalysisPlan?) throws -> Made? { nil }

  static var takesDimensions: Bool { false }

  func tableWithoutLog() throws -> Table { throw ValidationError("name a log") }

  func validate(with verb: ReportVerb<Self>) throws {}
}

/// A report with options on the command line.
protocol ReportWithOptions: Report {
  associatedtype CommandOptions: ReportOptions where CommandOptions.Made == Self
}

extension ReportWithOptions {
  /// The verb of the report.
  static var verb: any ParsableCommand.Type { ReportVerb<CommandOptions>.self }
}
