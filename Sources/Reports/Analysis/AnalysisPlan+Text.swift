internal import Events
internal import Replay
internal import Specifications
internal import Statistics

extension AnalysisPlan {
  /// The plan as an analysis file, which reads back as the same plan: ``init(yaml:path:)``.
  public var yaml: String {
    var lines = calendar.map { ["time_zone: \(YAMLText.scalar($0.zone))"] } ?? []
    lines += namedMetrics
    lines.append("experiments:")
    for entry in entries {
      lines.append("  \(YAMLText.scalar(entry.experiment)):")
      lines += self.lines(of: entry).map { "    " + $0 }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The definitions of the metrics that have names.
  private var namedMetrics: [String] {
    var named: [Metric] = []
    for metric in entries.flatMap(\.metrics) where metric.label != nil && !named.contains(metric) {
      named.append(metric)
    }
    return named.isEmpty ? [] : ["metrics:"] + named.map { "  \($0): \(Self.definition($0))" }
  }

  private static func definition(_ metric: Metric) -> String {
    let label = metric.label
    var keys = ["value: \(YAMLText.scalar(metric.definition))"]
    if let title = label?.title { keys.append("title: \(YAMLText.scalar(title))") }
    if let unit = label?.unit { keys.append("unit: \(YAMLText.scalar(unit))") }
    if let decimals = label?.decimals { keys.append("decimals: \(decimals)") }
    if let margin = label?.margin { keys.append("margin: \(part(margin))") }
    return "{\(keys.joined(separator: ", "))}"
  }

  private func lines(of entry: Entry) -> [String] {
    var lines: [String] = []
    if let baseline = entry.baseline { lines.append("baseline: \(YAMLText.scalar(baseline))") }
    if let since = entry.since { lines.append("since: \(time(since))") }
    if let until = entry.until { lines.append("until: \(time(until))") }
    lines.append("metric: \(YAMLText.scalar("\(entry.metric)"))")
    if !entry.secondary.isEmpty { lines.append("secondary: \(Self.list(entry.secondary))") }
    if !entry.guardrails.isEmpty {
      let rules = entry.guardrails.map { rule in
        let margin = rule.margin.map { ", margin: \(Self.part($0))" } ?? ""
        return "{metric: \(YAMLText.scalar("\(rule.metric)"))\(margin)}"
      }
      lines.append("guardrails: [\(rules.joined(separator: ", "))]")
    }
    if !entry.dimensions.isEmpty { lines.append("dimensions: \(Self.list(entry.dimensions))") }
    if !entry.shares.isEmpty {
      let shares = entry.shares.sorted { VariantPairs.inBytes($0.key, $1.key) }.map {
        "\(YAMLText.scalar($0.key)): \(Self.number($0.value))"
      }
      lines.append("shares: {\(shares.joined(separator: ", "))}")
    }
    if let effect = entry.minimumEffect { lines.append("minimum_effect: \(Self.part(effect))") }
    return lines + stoppingLines(entry.stopping)
  }

  private func stoppingLines(_ rule: StoppingRule) -> [String] {
    switch rule {
    case .everyLook: return []
    case .atUnits(let units): return ["units: \(units)"]
    case .atLooks(let plan):
      let looks =
        switch plan.schedule {
        case .parts(let count): "\(count)"
        case .times(let times): "[\(times.map(time).joined(separator: ", "))]"
        }
      return ["units: \(plan.units)", "looks: \(looks)", "spending: \(plan.spending.name)"]
    }
  }

  private static func list(_ values: [some CustomStringConvertible]) -> String {
    "[\(values.map { YAMLText.scalar($0.description) }.joined(separator: ", "))]"
  }

  /// Writes a part of the baseline's mean; above all of it as a percentage, which is required there.
  private static func part(_ part: Double) -> String {
    // 1.1 times 100 is not 110.
    part <= 1 ? number(part) : number((part * 1e11).rounded() / 1e9) + "%"
  }

  /// Writes a whole number without a decimal point.
  private static func number(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  /// Writes a time at midnight as a date.
  private func time(_ time: Timestamp) -> String {
    let calendar = calendar ?? .utc
    let day = calendar.day(of: time.microseconds)
    return calendar.start(ofDay: day) == time.microseconds
      ? DayCalendar.date(ofDay: day) : time.description
  }
}

/// Texts as scalars of YAML.
enum YAMLText {
  /// Words that readers of YAML take for truth values or null.
  private static let reserved: Set<String> = [
    "true", "false", "yes", "no", "on", "off", "null", "y", "n",
  ]

  /// Returns the text as it is if it is a plain word; otherwise in double quotes, with everything escaped that could
  /// end them, break the line or turn the direction of writing.
  static func scalar(_ text: String) -> String {
    let isWord =
      text.utf8.first.map(\.isASCIILetter) ?? false
      && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_-.".utf8.contains($0) }
    if isWord, !reserved.contains(text.lowercased()) { return text }
    return "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let isLong = scalar.value > 0xFFFF
      return (isLong ? "\\U" : "\\u")
        + String(repeating: "0", count: (isLong ? 8 : 4) - digits.count) + digits
    default: return String(scalar)
    }
  }
}
