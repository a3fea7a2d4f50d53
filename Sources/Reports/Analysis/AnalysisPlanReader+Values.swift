internal import Events
internal import Replay
internal import Specifications
internal import Statistics
internal import YAML

extension AnalysisPlanReader {
  func text(_ node: YAMLNode, _ key: String) throws(ReportError) -> String {
    guard let text = node.string, !text.isEmpty else { throw error(node, "\(key) must be a text") }
    return text
  }

  /// Reads a list; a single element may stand without brackets.
  func list<Element>(
    _ node: YAMLNode, _ key: String, _ element: (YAMLNode) throws(ReportError) -> Element
  ) throws(ReportError) -> [Element] {
    guard let sequence = node.sequence else {
      guard node.string?.isEmpty == false || node.mapping != nil else {
        throw error(node, "\(key) must be a list")
      }
      return [try element(node)]
    }
    var list: [Element] = []
    for node in sequence { list.append(try element(node)) }
    return list
  }

  func metric(_ node: YAMLNode) throws(ReportError) -> Metric {
    guard let text = node.string else {
      throw error(node, "a metric must be a text, such as converted:goal=purchase")
    }
    do {
      return try metricFile.metric(text)
    } catch let problem { throw error(node, "\(problem)") }
  }

  /// Reads a metric that a decision rests on.
  func judgedMetric(_ node: YAMLNode) throws(ReportError) -> Metric {
    let metric = try metric(node)
    guard metric.direction != .neutral else {
      throw error(
        node,
        "\(metric) is neither better nor worse, so that nothing can be decided by it; give it direction=higher or "
          + "direction=lower, or make it secondary")
    }
    return metric
  }

  func guardrail(_ node: YAMLNode) throws(ReportError) -> AnalysisPlan.Guardrail {
    guard let members = node.mapping else {
      return AnalysisPlan.Guardrail(try judgedMetric(node))
    }
    var found: Metric?
    var margin: Double?
    try forEach(members, "key of a guardrail", ["metric", "margin"]) {
      (key, value) throws(ReportError) in
      if key.string == "metric" {
        found = try judgedMetric(value)
      } else {
        margin = try part(value, "margin", above: nil)
      }
    }
    guard let found else {
      throw error(node, "a guardrail needs a metric, such as {metric: visits, margin: 0.02}")
    }
    if let margin { try check(margin: margin, of: found, node) }
    return AnalysisPlan.Guardrail(found, margin: margin)
  }

  /// Refuses a margin that a metric of which more is better cannot exceed.
  func check(margin: Double, of metric: Metric, _ node: YAMLNode) throws(ReportError) {
    guard margin < 1 || metric.direction != .higher else {
      throw error(node, "margin is the part of the baseline's mean that may be lost, such as 0.02 or 2%: below 1")
    }
  }

  func dimension(_ node: YAMLNode) throws(ReportError) -> Dimension {
    do throws(OptionError) {
      return try OptionValue.dimension(node.string ?? "")
    } catch { throw self.error(node, error.description) }
  }

  func shares(_ node: YAMLNode) throws(ReportError) -> [String: Double] {
    guard let members = node.mapping else {
      throw error(
        node, "shares must give a share for each variant, such as {control: 0.5, blue: 0.5}")
    }
    var shares: [String: Double] = [:]
    try forEach(members, "name of a variant", nil) { (key, value) throws(ReportError) in
      shares[key.string ?? ""] = try number(value, "a share", above: nil)
    }
    let sum = shares.values.reduce(0, +)
    guard abs(sum - 1) < 1e-6 || shares.values.contains(where: { $0 >= 1 }) else {
      throw error(node, "shares add up to \(NumberText.readable(sum)), and not to 1")
    }
    guard shares.values.count(where: { $0 > 0 }) > 1 else {
      throw error(node, "shares must be above 0 for at least two variants")
    }
    return shares
  }

  /// Reads a finite number that is above a bound, or 0 or more.
  func number(_ node: YAMLNode, _ key: String, above bound: Double?) throws(ReportError) -> Double {
    guard let number = WrittenValue.number(node.string ?? ""), number.isFinite,
      bound.map({ number > $0 }) ?? (number >= 0)
    else {
      throw error(
        node,
        "\(key) must be a number \(bound == nil ? "of 0 or more" : "above 0"), such as 0.02 or 2%")
    }
    return number
  }

  /// Reads a part of the baseline's mean that is above a bound, or 0 or more.
  func part(_ node: YAMLNode, _ key: String, above bound: Double?) throws(ReportError) -> Double {
    let text = node.string ?? ""
    if !text.hasSuffix("pp") { _ = try number(node, key, above: bound) }
    do throws(OptionError) {
      return try OptionValue.part(text)
    } catch { throw self.error(node, "\(key): \(error)") }
  }

  /// Reads a number of units.
  func units(_ node: YAMLNode, _ key: String) throws(ReportError) -> Int {
    guard let units = Int(node.string ?? ""), (2...1_000_000_000_000).contains(units) else {
      throw error(
        node,
        "\(key) must be a whole number of at least 2, the units of all variants, such as 20000")
    }
    return units
  }

  /// Reads the looks of a plan with units: how many, or when.
  func stopping(_ members: [YAMLNode.Member], _ rule: StoppingRule) throws(ReportError) -> StoppingRule {
    guard let node = members["looks"] else {
      if let other = members["spending"] { throw error(other, "spending needs looks, such as looks: 5") }
      return rule
    }
    guard case .atUnits(let units) = rule else {
      throw error(node, "looks need units, those of all variants at the last look, such as units: 20000")
    }
    var plan = LookPlan(units: units, .parts(1))
    if let count = Int(node.string ?? "") {
      guard (1...50).contains(count) else { throw error(node, "looks must be from 1 to 50") }
      plan.schedule = .parts(count)
    } else {
      let times = try list(node, "looks") { node throws(ReportError) in try time(node, "looks") }
      guard !times.isEmpty, times.count <= 50, zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
        throw error(node, "looks must be a number, or up to 50 dates, each after the one before")
      }
      plan.schedule = .times(times)
    }
    if let node = members["spending"] {
      do {
        plan.spending = try GroupSequential.Spending(named: node.string ?? "")
      } catch let problem { throw error(node, "\(problem)") }
    }
    return .atLooks(plan)
  }

  /// Reads the name of a time zone.
  func timeZone(_ node: YAMLNode) throws(ReportError) -> DayCalendar {
    do throws(OptionError) {
      return try OptionValue.timeZone(node.string ?? "")
    } catch { throw self.error(node, error.description) }
  }

  /// Reads a date, or a time with an offset.
  func time(_ node: YAMLNode, _ key: String) throws(ReportError) -> Timestamp {
    let text = node.string ?? ""
    guard
      let time = calendar.start(ofDate: text) ?? Timestamp(iso8601: Array(text.utf8).span)
    else {
      throw error(
        node,
        "\(key) must be a date such as 2026-01-05 (its start in UTC, or in time_zone), or a time with an offset such "
          + "as 2026-01-02T03:04:05Z"
      )
    }
    return time
  }
}
