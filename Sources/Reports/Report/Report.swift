public import EventLog
public import Events
public import Plots
public import Replay
public import Tables

/// A report of a log: a value whose properties are the report's parameters.
///
/// Most reports show the result of one projector over all units; they conform to ``UnitReport``, which has fewer
/// requirements. Reports of other packages run in the same way as the built-in ones, with ``table(of:_:)`` or
/// ``table(of:jobs:memoryLimit:)``.
public protocol Report: Sendable {
  /// An option of the report.
  typealias Option = ReportOption<Self>

  /// The name in snake_case, as in `bandolier report NAME`.
  static var name: String { get }

  /// A one-line summary.
  static var abstract: String { get }

  /// The formulas, inputs and sources of the report.
  static var explanation: Explanation { get }

  /// Its description in the command's help, a paragraph.
  static var discussion: String { get }

  /// The usage lines of the verb, without the name of the command; by default that of a log and the required options.
  static var usage: [String] { get }

  /// Examples that run: commands, of several lines where they are long.
  static var examples: [String] { get }

  /// Creates the report with its standard parameters.
  init()

  /// The parameters that can be set: the options of the command line, of HTTP and of Python.
  @OptionsBuilder<Self>
  static var options: [Option] { get }

  /// Takes the settings of an experiment's analysis plan; by default there are none.
  mutating func adopt(_ entry: AnalysisPlan.Entry)

  /// Checks the parameters, and settles those that depend on others.
  ///
  /// - Throws: ``ReportError`` if a parameter is out of range.
  mutating func validate() throws(ReportError)

  /// Whether the report is made of logs only, and not of databases.
  static var needsLog: Bool { get }

  /// Whether its verb stands beside `bandolier report` instead of below it.
  static var isVerbOfItsOwn: Bool { get }

  /// Whether it is broken down by the dimensions of an analysis plan.
  static var takesDimensions: Bool { get }

  /// Returns the report of a whole analysis plan, nil for none; nil, the default, if it is made experiment by
  /// experiment.
  static func made(of plan: AnalysisPlan?) throws(ReportError) -> Self?

  /// The options of selecting events that these parameters exclude, with the reason.
  var refusedSelections: [(option: SelectionOption, reason: String)] { get }

  /// Returns the table where no log is given; nil, the default, if there is none without a log.
  func tableWithoutLog(_ options: GivenOptions) throws -> Table?

  /// The vocabularies whose names the report looks up or shows; by default those of experiments, points, slots,
  /// variants and goals.
  var vocabularies: Set<Vocabulary> { get }

  /// The end of the analysis, after which nothing counts; nil, the default, for none.
  var end: Timestamp? { get }

  /// The dimension by which the report always breaks down its results; nil, the default, for that of the selection.
  var dimension: Dimension? { get }

  /// Whether the report can be made of parts of a log. By default it cannot, except for a ``UnitReport``.
  var partials: PartialSupport { get }

  /// Computes the report.
  ///
  /// - Parameter source: The log or database to report on.
  /// - Returns: The table, with the files and alarm that belong to it.
  /// - Throws: ``ReportError``, and errors of reading the log.
  func result(of source: ReportSource) throws -> ReportResult

  /// Makes the answer of a table, with the method and notes of counts of rows: of the whole table or of some rows.
  ///
  /// By default nothing is added.
  func summarize(_ table: inout Table)

  /// Draws a table of the report; by default there are no plots.
  ///
  /// - Parameter table: A table of the report with some or all of its rows; if it has several, its name tells which.
  /// - Returns: The figures in reading order.
  static func figures(of table: FigureTable) -> [Figure]

  /// The Python code of the notebook of `report all` that draws the report of an experiment, such as
  /// ``NotebookCode/intervals(_:_:_:_:of:reference:)``; nil, the default, for the figures as they are.
  static var notebookCode: String? { get }

  /// Whether `report all` shows all rows of its tables in the overview of the log, and not only those of no experiment.
  static var isOverview: Bool { get }
}

/// A report of the result of one projector over all units.
public protocol UnitReport: Report {
  /// The type of the projector.
  associatedtype Projector: UnitProjector

  /// Returns the projector for the names of a log.
  ///
  /// - Throws: ``ReportError`` if the log does not have a name that is a parameter of the report.
  func projector(_ lookup: NameLookup) throws -> Projector

  /// Returns the table of a projector's result.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - names: The names of the log, of ``Report/vocabularies``.
  ///   - dimension: The dimension by which results are broken down; nil for none.
  /// - Returns: The table.
  /// - Throws: Any error that prevents the table from being made.
  func table(
    _ result: Projector.Result, names: LogNames, dimension: Dimension?
  ) throws -> Table
}

/// The table of a report, with the files and alarm that belong to it.
public struct ReportResult: Sendable {
  /// The table.
  public var table: Table
  /// Additional files that were requested, such as plots: the path and text of each.
  public var files: [(path: String, text: String)] = []
  /// The problem, if a check that was requested failed.
  public var alarm: String?
  /// Whether a message has explained why the table is empty.
  public var isExplained = false

  /// Creates a result of a table alone.
  public init(_ table: Table) { self.table = table }
}

extension Report {
  public var vocabularies: Set<Vocabulary> { [.experiments, .points, .slots, .variants, .goals] }

  public var end: Timestamp? { nil }

  public var dimension: Dimension? { nil }

  public var partials: PartialSupport { .none(instead: "make it of the whole log") }

  public static var discussion: String { "" }

  public static var usage: [String] {
    [usageLine(name, needsLog, optionInfos)]
  }

  public static var examples: [String] { [] }

  public static var options: [ReportOption<Self>] { [] }

  public mutating func adopt(_ entry: AnalysisPlan.Entry) {}

  public mutating func validate() throws(ReportError) {}

  public static var needsLog: Bool { false }

  public static var isVerbOfItsOwn: Bool { false }

  public func summarize(_ table: inout Table) {}

  public static func figures(of table: FigureTable) -> [Figure] { [] }

  public static var notebookCode: String? { nil }

  public static var isOverview: Bool { false }

  public static var takesDimensions: Bool { false }

  public static func made(of plan: AnalysisPlan?) throws(ReportError) -> Self? { nil }

  public var refusedSelections: [(option: SelectionOption, reason: String)] { [] }

  public func tableWithoutLog(_ options: GivenOptions) throws -> Table? { nil }

  /// The names, forms and meanings of ``options``.
  public static var optionInfos: [OptionInfo] { options.map(\.info) }

  /// Creates the report with some parameters that are not the standard ones.
  ///
  /// ```swift
  /// let report = try RewardReport { $0.per = .unit }
  /// ```
  ///
  /// - Parameter change: Sets parameters.
  /// - Throws: ``ReportError`` if a parameter is out of range, and errors of the closure.
  public init(_ change: (inout Self) throws -> Void) throws {
    self.init()
    try change(&self)
    try validate()
  }

  /// Computes the report by replaying a log.
  ///
  /// - Parameters:
  ///   - replay: The log, with the number of threads and the memory limit, neither of which changes the table.
  ///   - selection: The part of the log to report on; all of it by default.
  /// - Returns: The table, with notes of damaged parts of the log.
  /// - Throws: ``ReportError``; `LogError` if the log cannot be read.
  public func table(of replay: LogReplay, _ selection: UnitSelection = UnitSelection()) throws
    -> Table
  {
    let names = try LogNames(replay.log, vocabularies)
    return try finished(ReportSource(self, replay, selection, names: names)).table
  }

  /// Computes the report by replaying a whole log.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - jobs: The number of threads; the number of processors by default.
  ///   - memoryLimit: The memory limit of the replay, in bytes; nil for no limit.
  /// - Returns: The table, with notes of damaged parts of the log.
  /// - Throws: ``ReportError``; `LogError` if the log cannot be read.
  public func table(of log: LogReader, jobs: Int? = nil, memoryLimit: Int? = nil) throws -> Table {
    try table(of: LogReplay(log, jobs: jobs, memoryLimit: memoryLimit))
  }

  /// Returns a table with the answer that its rows give.
  func summarized(_ table: Table) -> Table {
    var table = table
    summarize(&table)
    table.answerAddedGoals()
    return table
  }

  /// Computes the report, and notes its time zone and the damaged parts of the log.
  package func finished(_ source: ReportSource) throws -> ReportResult {
    var result = try result(of: source)
    source.note(in: &result.table)
    return result
  }
}

extension UnitReport {
  public var partials: PartialSupport { .byUnits }

  public func result(of source: ReportSource) throws -> ReportResult {
    let result = try source.run(units: projector(source.lookup))
    return ReportResult(try table(result, names: source.names, dimension: source.dimension))
  }
}

private func usageLine(_ name: String, _ needsLog: Bool, _ options: [OptionInfo]) -> String {
  let required = options.filter { $0.form == .required }.map { " --\($0.name) <\($0.value)>" }
  let start = "report \(name) <\(needsLog ? "log" : "log or database")>\(required.joined())"
  return start + (start.utf8.count > 34 ? "\n  " : " ") + "[<options>]"
}
