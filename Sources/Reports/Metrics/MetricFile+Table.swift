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
          .measure("metric", .text, "the name").main, column("title", .text).main, column("value", .text).main,
          column("direction", .text).main, column("margin", .decimal).share.main, column("unit", .text).main,
          column("decimals", .integer), column("owner", .text).main, column("tags", .text),
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

  private func column(_ key: String, _ type: TableColumn.ValueType) -> TableColumn {
    .measure(key, type, Self.meaning(of: key))
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
