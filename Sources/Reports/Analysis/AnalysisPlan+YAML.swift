public import Events
internal import Specifications
internal import Statistics
internal import YAML

extension AnalysisPlan {
  /// Reads an analysis file in YAML:
  ///
  ///     time_zone: Europe/Madrid
  ///     experiments:
  ///       checkout:
  ///         baseline: control
  ///         since: 2026-01-01
  ///         until: 2026-02-01
  ///         metric: converted:goal=purchase
  ///         secondary: [revenue]
  ///         guardrails: [{metric: visits, margin: 0.02}]
  ///         dimensions: [context.country]
  ///         shares: {control: 0.5, blue: 0.5}
  ///         minimum_effect: 0.02
  ///
  /// Every key may be left out. Metrics are written as on the command line, see `Metric`, or named: the file may define
  /// metrics of its own under the key metrics, as in ``MetricFile``. A guardrail without a margin may be the metric
  /// alone.
  ///
  /// - Parameters:
  ///   - yaml: The text.
  ///   - path: The path of the file, for messages.
  ///   - metrics: The metrics that it may name.
  ///   - calendar: The days of the time zone that dates are of; nil for those of the file's `time_zone`.
  /// - Throws: ``ReportError`` with the line, if the text is no YAML, has an unknown key or a value out of range.
  public init(
    yaml: String, path: String, metrics: MetricFile = .none, calendar: DayCalendar? = nil
  ) throws(ReportError) {
    var reader = AnalysisPlanReader(path: path)
    reader.metricFile = metrics
    let form = "it must have experiments by name under the key experiments; report all --suggest prints an example"
    let members = try reader.root(of: yaml, form)
    if let own = members["metrics"] {
      let defined = try reader.metrics(own).definitions
      if let twice = defined.first(where: { metrics.definition(of: $0.name) != nil }) {
        throw reader.error(own, "\(twice.name) is in the file of --metrics too; keep one")
      }
      reader.metricFile = MetricFile(defined + metrics.definitions)
    }
    let zone = try members["time_zone"].map { node throws(ReportError) in try reader.timeZone(node) }
    reader.calendar = calendar ?? zone ?? .utc
    let complete = reader
    var entries: [Entry] = []
    try reader.forEach(members, "key of an analysis file", AnalysisPlanReader.fileKeys) {
      (key, value) throws(ReportError) in
      if key.string == "experiments" { entries = try complete.entries(value) }
    }
    guard !entries.isEmpty else { throw ReportError(.badData, "\(path): \(form)") }
    self.init(entries)
    self.calendar = calendar ?? zone
    self.path = path
  }
}

/// Reads the parts of an analysis file, and reports invalid ones.
struct AnalysisPlanReader {
  let path: String
  /// The metrics that can be named.
  var metricFile = MetricFile.none
  /// The days of the time zone that dates are of.
  var calendar = DayCalendar.utc

  init(path: String) { self.path = path }

  /// Returns the members of the whole text, or an error that says what they must be.
  func root(of yaml: String, _ reason: String) throws(ReportError) -> [YAMLNode.Member] {
    do {
      if let members = try YAMLNode.root(of: yaml, path: path)?.mapping { return members }
    } catch { throw ReportError(.badData, error.description) }
    throw ReportError(.badData, "\(path): \(reason)")
  }

  /// The keys of a file.
  static let fileKeys = ["time_zone", "metrics", "experiments"]

  /// The keys of an experiment.
  static let keys = [
    "baseline", "since", "until", "metric", "secondary", "guardrails", "dimensions", "shares",
    "minimum_effect", "units", "looks", "spending",
  ]

  func error(_ node: YAMLNode, _ reason: String) -> ReportError {
    ReportError(.badData, "\(path):\(node.mark.line):\(node.mark.column): \(reason)")
  }

  /// Calls the closure with each key and value. Unknown keys are errors.
  func forEach(
    _ members: [YAMLNode.Member], _ noun: String, _ known: [String]?,
    _ body: (YAMLNode, YAMLNode) throws(ReportError) -> Void
  ) throws(ReportError) {
    for (key, value) in members {
      guard let name = key.string else { throw error(key, "a \(noun) must be a text") }
      guard known?.contains(name) ?? true else {
        throw error(key, NearestName.unknown(noun, name, among: known ?? []))
      }
      try body(key, value)
    }
  }

  func entries(_ node: YAMLNode) throws(ReportError) -> [AnalysisPlan.Entry] {
    guard let members = node.mapping, !members.isEmpty else {
      throw error(node, "experiments must have names of experiments, with their settings below")
    }
    var entries: [AnalysisPlan.Entry] = []
    try forEach(members, "name of an experiment", nil) { (key, value) throws(ReportError) in
      entries.append(try entry(key, value))
    }
    return entries
  }

  private func entry(_ key: YAMLNode, _ node: YAMLNode) throws(ReportError) -> AnalysisPlan.Entry {
    var entry = AnalysisPlan.Entry(key.string ?? "")
    entry.lines["experiment"] = key.mark.line
    if node.string == "" || node.isNull { return entry }
    guard let members = node.mapping else {
      throw error(
        node,
        "the settings of \"\(entry.experiment)\" must be KEY: VALUE, such as baseline: control")
    }
    try forEach(members, "key of an experiment", Self.keys) { (key, value) throws(ReportError) in
      entry.lines[key.string ?? ""] = value.mark.line
      try read(value, key.string ?? "", into: &entry)
    }
    entry.stopping = try stopping(members, entry.stopping)
    if entry.guardrails.contains(where: { $0.metric == entry.metric }) {
      throw error(node, "\(entry.metric) is both the metric and a guardrail; keep one")
    }
    if let since = entry.since, let until = entry.until, until <= since {
      throw error(
        node, "until \(until) is not later than since \(since), so no event can be between them")
    }
    return entry
  }

  private func read(
    _ node: YAMLNode, _ key: String, into entry: inout AnalysisPlan.Entry
  ) throws(ReportError) {
    switch key {
    case "baseline": entry.baseline = try text(node, key)
    case "since": entry.since = try time(node, key)
    case "until": entry.until = try time(node, key)
    case "metric": entry.metric = try judgedMetric(node)
    case "secondary": entry.secondary = try list(node, key, metric)
    case "guardrails": entry.guardrails = try list(node, key, guardrail)
    case "dimensions": entry.dimensions = try list(node, key, dimension)
    case "shares": entry.shares = try shares(node)
    case "units": entry.stopping = .atUnits(try units(node, key))
    case "looks", "spending": break
    default: entry.minimumEffect = try part(node, key, above: 0)
    }
  }
}
