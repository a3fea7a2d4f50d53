internal import Events
public import Plots
internal import Specifications
internal import Tables

/// A row of a table whose cells are read by the names of their columns, for plots.
public struct FigureRow {
  let cells: NamedCells

  /// Returns a text; empty where there is none.
  public func text(_ name: String) -> String {
    switch cells.cell(name) {
    case .text(let text)?, .timestamp(let text)?: text
    case .integer(let number)?: String(number)
    case .decimal(let number)?: NumberText.readable(number)
    case .flag(let flag)?: flag ? "true" : "false"
    case .empty?, nil: ""
    }
  }

  /// Returns a number; nil where there is none.
  public func number(_ name: String) -> Double? { cells.number(name) }

  /// Returns a time, such as `2026-01-02`, `2026-01-02T03:00` or a timestamp, in seconds since 1970-01-01T00:00:00 by
  /// the clock that it was written by; nil where there is none.
  public func time(_ name: String) -> Double? {
    var text = text(name)
    let offset = "+00:00".utf8.count
    if text.utf8.count >= "2026-01-02T03:04:05+00:00".utf8.count, !text.hasSuffix("Z") {
      text = text.dropLast(offset) + "Z"
    }
    let end =
      text.hasSuffix("Z") ? "" : text.contains("T") ? ":00Z" : "T00:00:00Z"
    let bytes = Array((text + end).utf8)
    return Timestamp(iso8601: bytes.span).map { Double($0.microseconds) / 1e6 }
  }

  /// Returns a value with its interval at a position; nil where one of both is missing.
  public func point(at x: Double?, _ name: String) -> PlotCurves.Point? {
    guard let x, let y = number(name) else { return nil }
    return PlotCurves.Point(x: x, y: y, low: number("ci_low"), high: number("ci_high"))
  }
}

/// The rows of a table that make up one panel of a plot.
public struct FigurePanel {
  /// The names in the key columns by which rows are grouped, for people: `checkout · cart · color`.
  public let title: String
  /// The rows.
  public let rows: [FigureRow]
  /// The series of the variants of its experiment.
  var series: [NameKey: Int] = [:]

  /// Returns the index of the series of a variant; 0 for rows of no variant.
  public func series(of variant: String) -> Int { series[NameKey(variant)] ?? 0 }

  /// The rows in natural order of their variants, each with the index of its colour.
  public var variantRows: [(series: Int, row: FigureRow)] {
    groups(by: "variant").flatMap { name, rows in rows.map { (series(of: name), $0) } }
  }

  /// Returns the distinct texts of a column in natural order.
  public func names(_ column: String) -> [String] {
    rows.map { $0.text(column) }.distinctNames.sorted(by: NaturalOrder.precedes)
  }

  /// Returns the rows grouped by a text, in natural order.
  public func groups(by column: String) -> [(name: String, rows: [FigureRow])] {
    let groups = Dictionary(grouping: rows) { NameKey($0.text(column)) }
    return groups.keys.map(\.text).sorted(by: NaturalOrder.precedes).map {
      ($0, groups[NameKey($0)] ?? [])
    }
  }
}

extension Table {
  /// Returns the rows grouped by all key columns but some, in natural order of the keys.
  func panels(
    except others: Set<String>, where isWanted: (FigureRow) -> Bool
  ) -> [FigurePanel] {
    let keys = columns.filter { $0.kind == .key && !others.contains($0.name) }.map(\.name)
    let rows = NamedCells.rows(of: self).map { FigureRow(cells: $0) }.filter(isWanted)
    let groups = Dictionary(grouping: rows) { row in keys.map { NameKey(row.text($0)) } }
    let order = groups.keys.sorted { first, second in
      for (a, b) in zip(first, second) {
        let order = NaturalOrder.compare(a.text, b.text)
        if order != 0 { return order < 0 }
      }
      return false
    }
    return order.map {
      FigurePanel(title: Self.title(keys, $0.map(\.text)), rows: groups[$0] ?? [])
    }
  }

  /// Returns the texts of key columns as a title, without those that say nothing.
  private static func title(_ keys: [String], _ texts: [String]) -> String {
    var parts: [String] = []
    let isWhole = zip(keys, texts).contains { $0 == ("dimension", "") }
    for (key, text) in zip(keys, texts) {
      switch (key, text) {
      case ("point", "point-1"), ("slot", "decision-1"), ("dimension", _): continue
      case ("dimension_value", "") where !isWhole: parts.append("unknown")
      case (_, ""): continue
      default: parts.append(text)
      }
    }
    return parts.joined(separator: " · ")
  }
}
