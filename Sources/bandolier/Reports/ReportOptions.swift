import ArgumentParser
import Reports
import Tables

/// The options of a report on the command line, and the report that they make.
///
/// All that reports share (the log, what of it is looked at, how the table is written) is in ``ReportVerb``.
protocol ReportOptions: ParsableArguments {
  /// The report that the options make.
  associatedtype Made: Report
  /// What names the log.
  associatedtype Log: ReportLogArgument = LogArgument

  /// How the verb is used.
  static var usage: String { get }
  /// What the help says of the report.
  static var discussion: String { get }
  /// Commands to try; see ``WorkedExamples``.
  static var examples: [String] { get }

  /// The options that were given and that a database has no answer with.
  var refused: [String] { get }

  /// Makes the report.
  ///
  /// - Throws: `ReportError` or `ValidationError` when an option is out of its range.
  func report() throws -> Made

  /// Makes the table where no log is named.
  func tableWithoutLog() throws -> Table

  /// Refuses options that do not go with those that all reports share.
  func validate(with verb: ReportVerb<Self>) throws
}

extension ReportOptions {
  static var usage: String { "bandolier report \(Made.name) <log or database> [<options>]" }

  var refused: [String] { [] }

  func tableWithoutLog() throws -> Table { throw ValidationError("name a log") }

  func validate(with verb: ReportVerb<Self>) throws {}
}

/// A report that the command has options for.
protocol ReportWithOptions: Report {
  associatedtype CommandOptions: ReportOptions where CommandOptions.Made == Self
}

extension ReportWithOptions {
  /// The verb of the report.
  static var verb: any ParsableCommand.Type { ReportVerb<CommandOptions>.self }
}
