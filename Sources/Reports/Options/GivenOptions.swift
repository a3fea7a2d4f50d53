public import Events

/// Options of a report that were given, by name, with their texts.
public struct GivenOptions: Sendable {
  /// The names and texts, in the order in which they were given; a flag has the text "".
  public var values: [(name: String, text: String)]
  /// Reads the files that options name.
  public var files: OptionFiles
  /// The prefix of an option's name in messages: `--` on the command line.
  public var prefix: String
  /// The days of the time zone, if one is given.
  public var calendar: DayCalendar?
  /// Whether there is an analysis plan, which can name the metrics of a file.
  public var hasPlan = false

  /// Creates options.
  public init(
    _ values: [(name: String, text: String)] = [], files: OptionFiles = .none, prefix: String = ""
  ) {
    (self.values, self.files, self.prefix) = (values, files, prefix)
  }

  /// Whether an option is given.
  public func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// Returns a report with the given options.
  ///
  /// - Parameters:
  ///   - type: The type of the report.
  ///   - entry: The analysis plan of the experiment, over which given options take precedence; nil for none.
  /// - Returns: The report.
  /// - Throws: ``ReportError`` that names the option.
  public func report<R: Report>(_ type: R.Type, for entry: AnalysisPlan.Entry? = nil) throws -> R {
    var report = R()
    if let entry { report.adopt(entry) }
    let files = try filesWithMetrics()
    try check(files.metrics, R.optionInfos)
    for option in R.options {
      let name = option.info.name
      var texts = values.filter { $0.name == name }.map(\.text)
      if option.info.isTime { texts = texts.map { OptionValue.dated($0, in: calendar ?? .utc) } }
      guard !texts.isEmpty else {
        if option.info.form == .required { throw missing(option.info) }
        continue
      }
      try check(option.info, texts.count)
      do {
        try option.set(&report, texts, files)
      } catch let error as OptionError {
        throw ReportError(.badParameter, "\(name): \(error)")
      }
    }
    try report.validate()
    return report
  }

  /// The name of the option with a file of metrics.
  package static let metricFile = "metrics"

  /// Returns the reader of files with the named metrics of the file that is given.
  private func filesWithMetrics() throws -> OptionFiles {
    var files = files
    files.metrics = try namedMetrics()
    return files
  }

  /// Returns the named metrics of the file that is given; none without a file.
  package func namedMetrics() throws -> MetricFile {
    guard let path = values.last(where: { $0.name == Self.metricFile })?.text else { return .none }
    return try MetricFile(yaml: try files.text(path), path: path)
  }

  /// Throws an error for a file of metrics of which none is asked for.
  private func check(_ metrics: MetricFile, _ options: [OptionInfo]) throws(ReportError) {
    guard has(Self.metricFile), !has("metric"), !hasPlan, options.contains(where: { $0.name == "metric" }) else {
      return
    }
    throw ReportError(.badParameter, "\(Self.metricFile) \(metrics.unused(prefix))")
  }

  private func missing(_ option: OptionInfo) -> ReportError {
    ReportError(
      .badParameter, "\(option.name) is missing; give \(prefix)\(option.name) <\(option.value)>")
  }

  /// Throws an error for an option that is given too often, or beside others.
  private func check(_ option: OptionInfo, _ count: Int) throws(ReportError) {
    if option.form != .repeated, count > 1 {
      throw ReportError(.badParameter, "\(option.name) is given \(count) times; give it once")
    }
    for name in option.needs where !has(name) {
      throw ReportError(.badParameter, "\(option.name) needs \(prefix)\(name)")
    }
    for name in option.excludes where has(name) {
      throw ReportError(
        .badParameter, "\(option.name) and \(prefix)\(name) cannot be combined; leave one out")
    }
  }
}
