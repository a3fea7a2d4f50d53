public import EventLog
internal import Replay
internal import Specifications
public import Tables

extension MetricFile {
  /// The metrics as a table, in the order of the file.
  public var table: Table {
    get throws(TableError) {
      var table = try Table(
        name: "metrics", title: "Metrics",
        columns: [
          .measure("metric", .text, "the name").main,
          .measure("title", .text, "the name in sentences").main,
          .measure("value", .text, "what is measured, as in --metric").main,
          .measure("direction", .text, "which values are better: higher, lower or neutral").main,
          .measure("margin", .decimal, "the relative loss that is tolerated of a guardrail").share.main,
          .measure("unit", .text, "the unit of measurement").main,
          .measure("decimals", .integer, "how many decimals are shown"),
          .measure("owner", .text, "who looks after it").main,
          .measure("tags", .text, "words by which metrics are grouped"),
        ])
      for definition in definitions {
        let (metric, label) = (definition.metric, definition.metric.label)
        try table.append(row: [
          .text(definition.name), TableCell(label?.title), .text(metric.definition),
          .text(metric.direction.rawValue), label?.margin.map { .decimal($0) } ?? .empty,
          TableCell(label?.unit), label?.decimals.map { .integer($0) } ?? .empty,
          TableCell(definition.owner),
          definition.tags.isEmpty ? .empty : .text(definition.tags.joined(separator: ", ")),
        ])
      }
      return table
    }
  }

  /// Checks that a log has every goal that a metric names.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - path: The path of the file, for messages.
  /// - Throws: ``ReportError`` with the nearest name of the log; `LogError` if the log cannot be read.
  public func check(_ log: LogReader, of path: String) throws {
    let names = try LogNames(log, [.goals])
    let lookup = NameLookup(
      path: log.path, names: names, isEmpty: log.eventCount == 0, message: { _ in })
    for definition in definitions {
      for goal in definition.metric.goals {
        do {
          try lookup.code(of: goal, in: .goals)
        } catch {
          throw ReportError(error.code, "\(path): \(definition.name): \(error)")
        }
      }
    }
  }
}
