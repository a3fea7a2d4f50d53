public import EventLog
public import Events
public import Replay
public import Tables

/// A report of a log: a value whose properties are the report's parameters.
///
/// Most reports are what one projector computes of the units; these are a ``UnitReport``, which has less to say. A report of
/// another package runs like those of this one, with ``table(of:_:)`` or ``table(of:jobs:memoryLimit:)``.
public protocol Report: Sendable {
  /// The name in snake_case, as it stands behind `bandolier report`.
  static var name: String { get }

  /// What the report says, in one line.
  static var abstract: String { get }

  /// What the report computes, and by which formulas.
  static var explanation: Explanation { get }

  /// The vocabularies whose names the report looks up or shows; by default experiments, points, slots and variants.
  var vocabularies: Set<Vocabulary> { get }

  /// The time after which nothing counts; nil, the default, for none.
  var end: Timestamp? { get }

  /// What the report breaks results down by whatever the selection says; nil, the default, for what the selection says.
  var dimension: Dimension? { get }

  /// Makes the report.
  ///
  /// - Parameter source: What the report is made of.
  /// - Returns: The table, and what goes with it.
  /// - Throws: ``ReportError``, and what keeps the log from being read.
  func result(of source: ReportSource) throws -> ReportResult
}

/// A report of what one projector computes of all units.
public protocol UnitReport: Report {
  /// What computes it.
  associatedtype Projector: UnitProjector

  /// The projector, made with the names of the log.
  ///
  /// - Throws: ``ReportError`` when the log does not have a name that the report was given.
  func projector(_ lookup: NameLookup) throws -> Projector

  /// The table of what the projector computed.
  ///
  /// - Parameters:
  ///   - result: What it computed.
  ///   - names: The names of the log, of ``Report/vocabularies``.
  ///   - dimension: What results are broken down by.
  /// - Returns: The table.
  /// - Throws: What keeps the table from being made.
  func table(
    _ result: Projector.Result, names: LogNames, dimension: Dimension?
  ) throws -> Table
}

/// A table, and what goes with it.
public struct ReportResult: Sendable {
  /// The table.
  public var table: Table
  /// Files that were asked for beside the table, such as plots: a path and a text each.
  public var files: [(path: String, text: String)] = []
  /// What is wrong, where a check that was asked for failed.
  public var alarm: String?
  /// Whether a message said why there is nothing in the table.
  public var isExplained = false

  /// A table alone.
  public init(_ table: Table) { self.table = table }
}

extension Report {
  /// Experiments, points, slots and variants.
  public var vocabularies: Set<Vocabulary> { [.experiments, .points, .slots, .variants] }

  /// Everything counts.
  public var end: Timestamp? { nil }

  /// As the selection says.
  public var dimension: Dimension? { nil }

  /// Replays a log into the report.
  ///
  /// - Parameters:
  ///   - replay: The log, and how many threads and how much memory are used; neither changes the table.
  ///   - selection: What of the log is looked at; all of it by default.
  /// - Returns: The table, with notes of what was lost of the log.
  /// - Throws: ``ReportError``; `LogError` when the log cannot be read.
  public func table(of replay: LogReplay, _ selection: UnitSelection = UnitSelection()) throws
    -> Table
  {
    let names = try LogNames(replay.log, vocabularies)
    return try finished(ReportSource(self, replay, selection, names: names)).table
  }

  /// Replays a whole log into the report.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - jobs: How many threads work at once; as many as there are processors by default.
  ///   - memoryLimit: Memory in bytes that the replay may take; nil for no limit.
  /// - Returns: The table, with notes of what was lost of the log.
  /// - Throws: ``ReportError``; `LogError` when the log cannot be read.
  public func table(of log: LogReader, jobs: Int? = nil, memoryLimit: Int? = nil) throws -> Table {
    try table(of: LogReplay(log, jobs: jobs, memoryLimit: memoryLimit))
  }

  /// Makes the report, and notes what was lost of the log.
  package func finished(_ source: ReportSource) throws -> ReportResult {
    var result = try result(of: source)
    if let log = source.log { result.table.note(lossesOf: log) }
    return result
  }
}

extension UnitReport {
  /// Shows all units to the projector, and makes the table.
  public func result(of source: ReportSource) throws -> ReportResult {
    let result = try source.run(units: projector(source.lookup))
    return ReportResult(try table(result, names: source.names, dimension: source.dimension))
  }
}
