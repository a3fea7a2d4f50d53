internal import EventLog
public import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// Makes the reports of a whole log: everything that the log has data for, with default parameters.
///
/// Reports for which the log lacks something, such as propensities, are left out, and the book says why.
public struct BookBuilder {
  private(set) var replay: LogReplay
  let selection: UnitSelection
  let settings: BookSettings
  let names: LogNames
  private let message: @Sendable (String) -> Void
  private let willRun: (String) throws -> Void
  var parts: [BookPart] = []
  var leftOut: [String] = []
  /// The variant of each experiment with the greatest mean reward of those chosen everywhere; nil for none.
  var bestVariants: [NameKey: String?] = [:]

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - replay: The log, with the number of threads and the memory limit, neither of which changes the book.
  ///   - selection: The part of the log to report on.
  ///   - settings: The parameters of the reports.
  ///   - message: Receives messages that are not part of a report.
  ///   - willRun: Called with the name of each report before it is made.
  /// - Throws: `LogError` if the log cannot be read.
  public init(
    _ replay: LogReplay, _ selection: UnitSelection = UnitSelection(), settings: BookSettings,
    message: @escaping @Sendable (String) -> Void = { _ in },
    willRun: @escaping (String) throws -> Void = { _ in }
  ) throws {
    (self.replay, self.selection, self.settings) = (replay, selection, settings)
    self.replay.unitCache = UnitCache()
    (self.message, self.willRun) = (message, willRun)
    names = try LogNames(
      replay.log, [.experiments, .points, .slots, .variants, .goals, .reasons])
  }

  /// Makes the reports.
  ///
  /// - Returns: The book, the same for any number of threads.
  /// - Throws: ``ReportError`` if a parameter is out of range or the log does not have a name that is one; `LogError`
  ///   if the log cannot be read; what the caller throws before a report.
  public consuming func book() throws -> Book {
    guard replay.log.eventCount > 0 else { return empty }
    try addHealth()
    try addDecisions()
    try addUnitReports()
    try addSeries()
    try addComparison()
    try addQuantiles()
    try addRegret()
    try addAdaptive()
    try addPower()
    try addEvaluations()
    try addPredictions()
    try addOthers()
    return BookAssembly(self).book
  }

  private var empty: Book {
    Book(
      title: settings.title, answer: ["The log has no events, so there is nothing to report."],
      facts: BookFacts(replay.log, names, selection.calendar).facts)
  }

  /// Returns the source of a report, and tells that it is going to be made.
  func source(
    for report: any Report, experiment: UInt32? = nil
  ) throws -> ReportSource {
    try willRun(type(of: report).name)
    var selection = selection
    if let experiment { selection.experiments = [experiment] }
    return ReportSource(report, replay, selection, names: names, message: message)
  }

  /// Adds a table of a report.
  mutating func add(_ report: any Report, _ table: Table) {
    var table = table
    table.note(timeZone: selection.calendar)
    let answered = AnsweredTable(table: table, report: report)
    let type = type(of: report)
    if let index = parts.firstIndex(where: { $0.name == type.name }) {
      parts[index].tables.append(answered)
    } else {
      parts.append(BookPart(type, [answered]))
    }
  }

  /// Adds a report that needs no more than its table.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - mayLackData: Whether the report is left out if the log lacks what it needs; otherwise that is an error, such
  ///     as for a baseline that the log does not have.
  ///   - planned: Returns the report of an experiment with a plan, by default the same with the settings of the plan.
  /// - Throws: ``ReportError``; `LogError` if the log cannot be read.
  mutating func add(
    _ report: any Report, mayLackData: Bool = false,
    planned: ((AnalysisPlan.Entry) throws -> any Report)? = nil
  ) throws {
    do {
      add(report, try result(of: report, planned: planned).table)
    } catch let error as ReportError where mayLackData && error.code == .badData {
      leaveOut(type(of: report), because: error.description)
    }
  }

  /// Computes a report, by the plans of the experiments that have one.
  func result(
    of report: any Report, planned: ((AnalysisPlan.Entry) throws -> any Report)? = nil
  ) throws -> ReportResult {
    let source = try source(for: report)
    guard let plan = settings.analysis else { return try report.result(of: source) }
    return try AnalysisRun(plan, takesDimensions: type(of: report).takesDimensions) { entry in
      guard let entry else { return report }
      if let planned { return try planned(entry) }
      var own = report
      own.adopt(entry)
      try own.validate()
      return own
    }.result(of: source)
  }

  /// Leaves a report out.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - reason: What the log lacks; the path of the log before it is dropped.
  mutating func leaveOut(_ report: any Report.Type, because reason: String) {
    let path = replay.log.path + ": "
    let reason = reason.hasPrefix(path) ? String(reason.dropFirst(path.count)) : reason
    leftOut.append("\(report.name): \(reason)")
  }
}

/// A table of a report, which answers for some of the rows too.
struct AnsweredTable {
  let table: Table
  let report: any Report
}

/// A report with its tables, those people want first.
struct BookPart {
  /// The report.
  let report: any Report.Type
  var tables: [AnsweredTable]
  /// The tables of each experiment for a report that is made for each on its own; nil if the rows of an experiment are
  /// those of the whole tables.
  var byExperiment: [(experiment: String, tables: [Table])]?

  /// The tables of each experiment with the answers that they give.
  var ofExperiments: [NameKey: [Table]] {
    if let byExperiment {
      return Dictionary(
        byExperiment.map { (NameKey($0.experiment), $0.tables) }, uniquingKeysWith: { first, _ in first })
    }
    return tables.reduce(into: [:]) { all, answered in
      for (experiment, part) in answered.table.divided(by: "experiment") {
        all[experiment, default: []].append(answered.report.summarized(part))
      }
    }
  }

  init(_ report: any Report.Type, _ tables: [AnsweredTable]) {
    (self.report, self.tables) = (report, tables)
  }

  /// The name of the report.
  var name: String { report.name }
}
