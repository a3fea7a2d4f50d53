import ArgumentParser
import DecidingCore
import EventLog
import Events
import Replay
import Reports
import Specifications
import Statistics

/// The filter options of a report, or of all reports, for which `Never` stands.
struct FilterOptions<Made>: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only this experiment; can be given more than once.", valueName: "name"))
  var experiment: [String] = []

  @Option(
    help: ArgumentHelp("Only events at this time or later.", valueName: "time"),
    transform: WrittenTime.init)
  var since: WrittenTime?

  @Option(
    help: ArgumentHelp("Only events before this time.", valueName: "time"),
    transform: WrittenTime.init)
  var until: WrittenTime?

  @Option(
    help: ArgumentHelp(
      "Time zone of days, weeks and dates, by its name in the IANA database, such as Europe/Madrid (default: UTC).",
      valueName: "zone"), transform: OptionValue.timeZone)
  var timeZone: DayCalendar?

  @Option(
    help: ArgumentHelp(
      "Leave out decisions with this reason, such as forced; can be given more than once.",
      valueName: "reason"), completion: .cases(of: Reason.self))
  var withoutReason: [String] = []

  @Option(
    help: ArgumentHelp(
      "Break down by policy, reason, day, context.NAME, data.KIND or data.KIND.KEY, as known at the time of the "
        + "decision.",
      valueName: "dimension", visibility: isBrokenDown ? .default : .hidden),
    completion: .dimension, transform: OptionValue.dimension)
  var by: Dimension?

  /// Whether it is a report that takes `--by` with its standard parameters.
  private static var isBrokenDown: Bool {
    let refused = (Made.self as? any Report.Type)?.init().refusedSelections
    return refused?.contains { $0.option == .by } == false
  }

  func validate() throws {
    if let since = sinceTime, let until = untilTime, until <= since {
      throw ValidationError(
        "--until \(until) is not later than --since \(since), so no event can be between them")
    }
  }
}

/// The filter and replay options of a report, or of all reports, for which `Never` stands.
struct ReplayOptions<Made>: ParsableArguments {
  @OptionGroup(.input) var filter: FilterOptions<Made>
  @OptionGroup(.input) var damage: DamageOptions

  @Option(
    help: "Number of threads; the result does not depend on it (default: all processors).",
    transform: OptionValue.positive)
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Memory limit for events and groups, such as 500M or 4G; events beyond it spill to disk, groups beyond it are "
        + "an error.",
      valueName: "size"), transform: OptionValue.memoryLimit)
  var memory: Int?

  @OptionGroup var progress: ProgressOptions

  var experiment: [String] { filter.experiment }
  var withoutReason: [String] { filter.withoutReason }
  var by: Dimension? { filter.by }
}

extension FilterOptions {
  /// The days of the time zone.
  var calendar: DayCalendar { timeZone ?? .utc }

  /// The time range, of which dates are starts of days of the time zone.
  var sinceTime: Timestamp? { since?.time(in: calendar) }
  var untilTime: Timestamp? { until?.time(in: calendar) }
}

extension ReplayOptions {
  var timeZone: DayCalendar? { filter.timeZone }
  var calendar: DayCalendar { filter.calendar }
  var sinceTime: Timestamp? { filter.sinceTime }
  var untilTime: Timestamp? { filter.untilTime }

  /// Returns the options in a time zone.
  func zoned(_ calendar: DayCalendar?) -> Self {
    var options = self
    options.filter.timeZone = timeZone ?? calendar
    return options
  }

  /// The options of selecting events that were given.
  var selectionOptions: [SelectionOption] {
    let given: KeyValuePairs<SelectionOption, Bool> = [
      .experiment: !experiment.isEmpty, .since: filter.since != nil, .until: filter.until != nil,
      .withoutReason: !withoutReason.isEmpty, .by: by != nil, .timeZone: !calendar.isUTC,
    ]
    return given.filter(\.value).map(\.key)
  }

  /// Throws an error for an option that a report excludes.
  func check(for report: some Report) throws {
    guard let (option, reason) = report.refusal(of: selectionOptions) else { return }
    throw ValidationError("--\(option.rawValue) \(reason)")
  }

  /// Opens a log, looks up the given names, shows progress, and reports losses at the end; or opens a
  /// database.
  ///
  /// - Parameters:
  ///   - log: The log argument of the verb.
  ///   - report: The report.
  ///   - options: The given options that a database does not support.
  ///   - body: Makes the report, given the time range of a log.
  /// - Throws: ``Failure``, errors of reading the log or the database, and errors of the closure.
  func reading(
    _ log: LogArgument, for report: some Report, refusing options: [String],
    _ body: (ReportSource, LogCoverage?) throws -> Void
  ) throws {
    if try readingDatabase(log, refusing: options, { try body($0, nil) }) { return }
    let vocabularies = report.vocabularies
    try replaying(log, vocabularies, dimension: report.dimension ?? by, end: report.end) {
      let source = ReportSource(
        report, $0.replay, $0.selection, names: $0.names, isExplained: $0.isExplained,
        message: { Message.print($0) })
      try body(source, $0.coverage)
    }
  }

  /// The selected part of a log, ready to be replayed.
  struct Replayed {
    var replay: LogReplay
    var selection: UnitSelection
    var names: LogNames
    var coverage: LogCoverage
    /// Whether a message has explained why there may be nothing to report.
    var isExplained: Bool
  }

  /// Opens a log, looks up the given names, shows progress, and reports losses at the end.
  ///
  /// - Parameters:
  ///   - log: The log argument of the verb.
  ///   - vocabularies: The vocabularies whose names are needed.
  ///   - dimension: The dimension of the report; nil for none.
  ///   - end: The end of the analysis; nil for none.
  ///   - label: What progress is shown as.
  ///   - body: Makes the report.
  /// - Throws: Errors of the log, of the options and of the report.
  func replaying(
    _ log: LogArgument, _ vocabularies: Set<Vocabulary>, dimension: Dimension? = nil,
    end: Timestamp? = nil, label: String = "replaying", _ body: (Replayed) throws -> Void
  ) throws {
    try damage.reading(log) { reader in
      let names = try LogNames(reader, vocabularies.union([.experiments, .reasons]))
      let coverage = LogCoverage(reader)
      let selection = try selection(
        NameLookup(
          path: coverage.path, names: names, isEmpty: coverage.isEmpty,
          message: { Message.print($0) }))
      if let absence = try dimension?.absence(in: reader) {
        throw Failure(exitCode: Failure.badData, absence)
      }
      let isExplained = coverage.note(since: sinceTime, until: untilTime) || coverage.note(end: end)
      try showingProgress(of: reader, label: label) { replay in
        try body(
          Replayed(
            replay: replay, selection: selection, names: names, coverage: coverage,
            isExplained: isExplained))
      }
    }
  }

  /// Opens a part of a log, which need not have all names that are given.
  ///
  /// - Parameters:
  ///   - log: The log argument of the verb.
  ///   - exchange: Creates the exchange of states with the other parts.
  ///   - dimension: The dimension of the report; nil for none.
  ///   - body: Makes the report.
  /// - Throws: Errors of the log and of the report.
  func replayingPart(
    _ log: LogArgument, _ exchange: (LogReader) throws -> StateExchange, dimension: Dimension?,
    _ body: (Replayed) throws -> Void
  ) throws {
    try damage.reading(log) { reader in
      let exchange = try exchange(reader)
      let lookup = NameLookup(
        path: reader.path, names: exchange.names, isEmpty: true, message: { _ in })
      var selection = try selection(lookup)
      selection.dimension = dimension
      try showingProgress(of: reader, label: "replaying") { replay in
        var replay = replay
        replay.exchange = exchange
        try body(
          Replayed(
            replay: replay, selection: selection, names: exchange.names,
            coverage: LogCoverage(reader), isExplained: true))
      }
    }
  }

  private func showingProgress(
    of reader: LogReader, label: String, _ body: (LogReplay) throws -> Void
  ) throws {
    try progress.mode.showing(label, of: reader.eventCount) {
      try body(LogReplay(reader, jobs: jobs, memoryLimit: memory, progress: $0))
    }
  }

  /// The selection of the log, as part of the question of a report: options that shape its states, by names.
  var question: [(name: String, value: String)] {
    let lists = [("experiment", experiment), ("without-reason", withoutReason)].map { name, list in
      (
        name,
        Set(list.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }.map {
          String(decoding: $0, as: UTF8.self)
        }
      )
    }
    let values = [
      ("since", sinceTime.map { "\($0)" }), ("until", untilTime.map { "\($0)" }),
      ("by", by.map { "\($0)" }), ("time-zone", calendar.isUTC ? nil : calendar.identity),
    ]
    return lists.filter { !$0.1.isEmpty }.map { ($0.0, "\($0.1)") }
      + values.compactMap { name, value in value.map { (name, $0) } }
  }

  private func selection(_ lookup: NameLookup) throws -> UnitSelection {
    var selection = UnitSelection()
    selection.experiments = try experimentCodes(lookup)
    selection.since = sinceTime?.microseconds
    selection.until = untilTime?.microseconds
    selection.calendar = calendar
    selection.leftOutReasons = try reasonCodes(lookup)
    selection.dimension = by
    return selection
  }

  /// Returns the codes of the reasons whose decisions are excluded. A reason of Bandolier's own systems can
  /// be missing in a log; any other word that the log does not have is treated as misspelled.
  private func reasonCodes(_ lookup: NameLookup) throws -> Set<UInt32> {
    let known = Reason.allCases.map(\.rawValue)
    let missing = withoutReason.filter { lookup.names.code(of: $0, in: .reasons) == nil }
    let unknown = missing.filter { !known.contains($0) }
    if !lookup.isEmpty {
      try lookup.refuse(unknown, hasKnown: unknown.count < withoutReason.count) { name in
        // The nearest name may be a reason that only other logs have.
        let seen = lookup.names.texts(.reasons)
        let isNear = NearestName.nearest(to: name, among: known) != nil
        return UnknownName.message(
          name, noun: "reason", among: isNear ? known + seen : seen, path: lookup.path)
      }
      for name in missing where known.contains(name) {
        Message.print("note: \(lookup.path) has no reason \"\(name)\", so it leaves nothing out")
      }
    }
    return Set(withoutReason.compactMap { lookup.names.code(of: $0, in: .reasons) })
  }

  /// Returns the codes of the selected experiments; nil for all.
  ///
  /// - Throws: `ReportError` when none of the names is known.
  func experimentCodes(_ lookup: NameLookup) throws -> Set<UInt32>? {
    experiment.isEmpty ? nil : try lookup.codes(of: experiment, in: .experiments)
  }
}
