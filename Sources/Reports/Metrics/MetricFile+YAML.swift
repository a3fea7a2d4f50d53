internal import Replay
internal import Specifications
internal import YAML

extension MetricFile {
  /// Reads a file in YAML:
  ///
  ///     metrics:
  ///       purchase-rate:
  ///         value: converted:goal=purchase
  ///         title: Purchase rate
  ///         owner: growth
  ///         tags: [core]
  ///       latency:
  ///         value: reward:goal=latency
  ///         direction: lower
  ///         margin: 5%
  ///         unit: ms
  ///         decimals: 0
  ///       spend: {value: revenue, cap: 500, window: 14d}
  ///       refunds: "conversions:goal=refund,direction=lower"
  ///
  /// A metric is its text alone, or has ``keys``, of which only `value` is needed. The file may be an analysis file
  /// with metrics, whose other keys are not read.
  ///
  /// - Parameters:
  ///   - yaml: The text.
  ///   - path: The path of the file, for messages.
  /// - Throws: ``ReportError`` with the line, if the text is no YAML, has an unknown key or a value out of range.
  public init(yaml: String, path: String) throws(ReportError) {
    let reader = AnalysisPlanReader(path: path)
    let form = "it must have metrics by name under the key metrics, such as revenue: {value: revenue, cap: 500}"
    let members = try reader.root(of: yaml, form)
    var found: MetricFile?
    try reader.forEach(members, "key of a file of metrics", AnalysisPlanReader.fileKeys) {
      (key, value) throws(ReportError) in if key.string == "metrics" { found = try reader.metrics(value) }
    }
    guard let found else { throw ReportError(.badData, "\(path): \(form)") }
    self = found
  }
}

extension AnalysisPlanReader {
  /// Reads definitions of metrics.
  func metrics(_ node: YAMLNode) throws(ReportError) -> MetricFile {
    guard let members = node.mapping, !members.isEmpty else {
      throw error(node, "metrics must have names of metrics, with their definitions below")
    }
    var definitions: [MetricFile.Definition] = []
    try forEach(members, "name of a metric", nil) { (key, value) throws(ReportError) in
      definitions.append(try definition(key, value))
    }
    return MetricFile(definitions)
  }

  private func definition(_ key: YAMLNode, _ node: YAMLNode) throws(ReportError) -> MetricFile.Definition {
    let name = key.string ?? ""
    let isWord =
      !name.isEmpty
      && name.utf8.allSatisfy {
        $0.isASCIILetter || $0.isASCIIDigit || "_-.".utf8.contains($0)
      }
    guard isWord, Metric.Count(rawValue: name) == nil || node.string == name, name != "ratio" else {
      throw error(
        key,
        "\"\(name)\" cannot be the name of a metric: it must be of letters, digits, - _ and ., and none of "
          + Metric.forms.joined(separator: ", "))
    }
    guard let members = node.mapping else {
      var metric = try parsed(node)
      metric.label = Metric.Label(name)
      return MetricFile.Definition(metric)
    }
    try forEach(members, "key of a metric", MetricFile.keys.map(\.name)) { _, _ in }
    guard let value = members["value"] else {
      throw error(node, "\(name) needs a value, such as value: converted:goal=purchase")
    }
    var definition = MetricFile.Definition(try parsed(value))
    var label = Metric.Label(name)
    for (key, value) in members {
      try read(value, key.string ?? "", into: &definition, &label)
    }
    definition.metric.label = label
    if let margin = label.margin { try check(margin: margin, of: definition.metric, members["margin"] ?? node) }
    do { try definition.metric.check() } catch let problem { throw error(node, "\(problem)") }
    return definition
  }

  /// Returns a metric without a name.
  private func parsed(_ node: YAMLNode) throws(ReportError) -> Metric {
    do {
      return try Metric(parsing: node.string ?? "")
    } catch let problem { throw error(node, "\(problem)") }
  }

  private func read(
    _ node: YAMLNode, _ key: String, into definition: inout MetricFile.Definition,
    _ label: inout Metric.Label
  ) throws(ReportError) {
    switch key {
    case "title": label.title = try text(node, key)
    case "unit": label.unit = try text(node, key)
    case "margin": label.margin = try part(node, key, above: nil)
    case "decimals":
      guard let decimals = Int(node.string ?? ""), (0...9).contains(decimals) else {
        throw error(node, "decimals must be a whole number from 0 to 9")
      }
      label.decimals = decimals
    case "owner": definition.owner = try text(node, key)
    case "tags": definition.tags = try list(node, key) { node throws(ReportError) in try text(node, key) }
    case "value": break
    default:
      do { try definition.metric.set(key, to: node.string ?? "") } catch let problem { throw error(node, "\(problem)") }
    }
  }
}
