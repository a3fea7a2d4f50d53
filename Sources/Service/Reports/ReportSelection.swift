internal import DecidingCore
internal import EventLog
internal import Events
internal import Replay
internal import Reports
internal import Specifications
internal import Tables

/// The part of the log that a report is made of, and the form in which it is written.
struct ReportSelection {
  var experiments: [String]
  var since: Timestamp?
  var until: Timestamp?
  var withoutReasons: [String]
  var dimension: Dimension?
  var calendar: DayCalendar
  var format: TableFormat
  var isWide: Bool
  var columns: [String]?
  var isSpreadsheetSafe: Bool
  /// Whether tables for people show the display names of agents and their choices.
  var showsNames: Bool

  /// Reads the options that all reports share.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - calendar: The days of the time zone of the report.
  /// - Throws: ``ServiceProblem`` for an option that is invalid.
  init(_ query: OptionQuery, in calendar: DayCalendar) throws(ServiceProblem) {
    self.calendar = calendar
    experiments = query.texts("experiment")
    since = try query.value("since") { text throws(OptionError) in
      try OptionValue.time(text, in: calendar)
    }
    until = try query.value("until") { text throws(OptionError) in
      try OptionValue.time(text, in: calendar)
    }
    withoutReasons = query.texts("without-reason")
    dimension = try query.value("by", OptionValue.dimension)
    format = try query.value("format", OptionValue.choice) ?? .csv
    isWide = try query.flag("wide")
    columns = try query.text("columns").map { WrittenValue.elements($0).map(String.init) }
    isSpreadsheetSafe = try query.flag("spreadsheet-safe")
    showsNames = try query.flag("names")
    if let since, let until, until <= since {
      throw OptionQuery.problem(
        "until", "\(until) is not later than since \(since), so no event can be between them")
    }
    guard !isWide || columns == nil else {
      throw OptionQuery.problem("wide", "and columns exclude each other; give one of them")
    }
  }

  /// Throws an error if the report cannot be broken down, or selected, as asked for.
  func check(_ report: any Report) throws(ServiceProblem) {
    let given: [(SelectionOption, Bool)] = [
      (.experiment, !experiments.isEmpty), (.withoutReason, !withoutReasons.isEmpty),
      (.by, dimension != nil),
    ]
    if let (option, reason) = report.refusal(of: given.filter(\.1).map(\.0)) {
      throw OptionQuery.problem(option.rawValue, reason)
    }
  }

  /// Returns the selection by the codes of a log's names.
  func units(_ lookup: NameLookup) throws -> UnitSelection {
    var selection = UnitSelection()
    selection.experiments =
      experiments.isEmpty ? nil : try lookup.codes(of: experiments, in: .experiments)
    selection.since = since?.microseconds
    selection.until = until?.microseconds
    selection.leftOutReasons = try reasons(lookup)
    selection.dimension = dimension
    selection.calendar = calendar
    return selection
  }

  /// Returns the codes of the reasons that are left out. Those of Bandolier's own systems may be missing in a log.
  private func reasons(_ lookup: NameLookup) throws -> Set<UInt32> {
    let known = Reason.allCases.map(\.rawValue)
    let seen = lookup.names.texts(.reasons)
    for name in withoutReasons where !known.contains(name) && !lookup.isEmpty {
      guard lookup.names.code(of: name, in: .reasons) == nil else { continue }
      throw OptionQuery.problem(
        "without-reason", "has an " + NearestName.unknown("reason", name, among: seen + known))
    }
    return Set(withoutReasons.compactMap { lookup.names.code(of: $0, in: .reasons) })
  }

  // MARK: Writing

  /// Returns the bytes of a table, as the command writes them to a file, except for the display names.
  func bytes(of table: Table, _ names: DisplayNames) throws -> [UInt8] {
    let isForPeople = format == .table || format == .markdown
    var table = showsNames && isForPeople ? try names.added(to: table) : table
    if let columns {
      do throws(TableError) {
        // People get the rows in their order also when the keys of that order are left out.
        table = try (isForPeople ? table.sortedForPeople() : table).selecting(columns)
      } catch {
        throw OptionQuery.problem("columns", "\(error)")
      }
    }
    let detail: TableDetail = isWide ? .all : columns == nil ? .main : .chosen
    return write(
      table, as: format, options: TableOptions(spreadsheetSafe: isSpreadsheetSafe, detail: detail))
  }

  /// The media type of the format.
  var mediaType: String {
    switch format {
    case .table: "text/plain; charset=utf-8"
    case .csv: "text/csv; charset=utf-8; header=present"
    case .json: "application/json; charset=utf-8"
    case .jsonl: "application/jsonl; charset=utf-8"
    case .markdown: "text/markdown; charset=utf-8"
    }
  }
}
