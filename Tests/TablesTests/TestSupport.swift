import Foundation
import Tables
import TestSupport

/// Pieces of text that have broken a reader, a writer or a terminal before.
let hostilePieces = [
  ",", "\"", "\"\"", "\r", "\n", "\r\n", " ", "\t", "'", "=1+1", "+", "-", "@", "|", "\\", "a",
  "Z9",
  "NA", "null", "nan", "001", "true", "#", "é", "e\u{301}", "東京", "👩‍👩‍👧", "🇩🇪", "\u{1B}[31m", "\u{7}",
  "\u{0}", "\u{9B}2J", "\u{202E}", "\u{2028}", "\u{FEFF}", "\u{7F}", "<b>", "&amp;", "…", "_x_",
  "*", "`",
  "क्षि", "\u{301}", "1\u{FE0F}\u{20E3}", "a long text with several words",
  "epsilon-greedy:epsilon=0.1",
]

func hostileText(_ rng: inout SeededGenerator) -> String {
  (0..<Int.random(in: 0...4, using: &rng)).map { _ in
    hostilePieces.randomElement(using: &rng) ?? ""
  }.joined()
}

func hostileCell(_ type: TableColumn.ValueType, _ rng: inout SeededGenerator) -> TableCell {
  if Int.random(in: 0..<8, using: &rng) == 0 { return .empty }
  switch type {
  case .text: return .text(hostileText(&rng))
  case .integer:
    return .integer(
      [0, -1, .max, .min, Int.random(in: -9_999...9_999, using: &rng)].randomElement(using: &rng)
        ?? 0)
  case .decimal: return .decimal(hostileDecimal(&rng))
  case .flag: return .flag(Bool.random(using: &rng))
  case .timestamp:
    return .timestamp("2026-01-02T03:04:0\(Int.random(in: 0...9, using: &rng)).678901Z")
  }
}

/// A table of up to nine columns and six rows with the worst cells there are; if decorated, with an answer, a method,
/// main columns and every way to show a cell.
func hostileTable(seed: UInt64, isDecorated: Bool = false) throws -> Table {
  var rng = SeededGenerator(seed: seed)
  var columns = (0..<Int.random(in: 1...9, using: &rng)).map { index in
    TableColumn(
      name: "c\(index)" + String(repeating: "x", count: Int.random(in: 0...12, using: &rng)),
      kind: Int.random(in: 0..<3, using: &rng) == 0 ? .key : .measure,
      type: TableColumn.ValueType.allCases.randomElement(using: &rng) ?? .text,
      description: hostileText(&rng))
  }
  if isDecorated {
    columns = columns.map { column in
      let shown = hostileDisplay(column, &rng)
      return Bool.random(using: &rng) ? shown.main : shown
    }
  }
  var table = try Table(name: "hostile", title: hostileText(&rng), columns: columns)
  if isDecorated {
    table.answer = [hostileText(&rng) + hostileText(&rng), hostileText(&rng)]
    if Bool.random(using: &rng) { table.method = TableMethod(hostileText(&rng), report: "x") }
  }
  for _ in 0..<Int.random(in: 0...6, using: &rng) {
    try table.append(row: columns.map { hostileCell($0.type, &rng) })
  }
  for _ in 0..<Int.random(in: 0...2, using: &rng) {
    table.note(hostileText(&rng), hostileCell(.text, &rng))
  }
  return table
}

private func hostileDisplay(_ column: TableColumn, _ rng: inout SeededGenerator) -> TableColumn {
  switch TableColumn.Display.allCases.randomElement(using: &rng) ?? .plain {
  case .plain: column
  case .estimate: column.estimate
  case .share: column.share
  case .duration: column.duration
  case .pValue: column.pValue
  case .count: column.count
  case .sentence: column.sentence
  case .day: column.day
  }
}

/// A small table with one column of each type, for texts that a person has checked.
func sampleTable() throws -> Table {
  var table = try Table(
    name: "rewards", title: "Rewards by variant",
    columns: [
      .key("experiment", .text, "The experiment."), .key("variant", .text, "The variant."),
      .measure("decisions", .integer, "Decisions, a count."),
      .measure("reward_mean", .decimal, "Mean reward per decision."),
      .measure("significant", .flag, "Whether the interval leaves out 0."),
      .measure("last_seen", .timestamp, "Time of the last decision."),
    ])
  table.note("attribution", .text("last"))
  table.note("late_goals", .integer(3))
  try table.append(row: [
    .text("checkout"), .text("red, or \"rot\""), .integer(1_200), .decimal(1.0 / 3), .flag(true),
    .timestamp("2026-01-02T03:04:05.678901Z"),
  ])
  try table.append(row: [
    .text("checkout"), .text("=blue|2"), .integer(-7), .decimal(10), .flag(false), .empty,
  ])
  try table.append(row: [.text("東京"), .text("a\nb"), .empty, .decimal(.nan), .empty, .empty])
  return table
}

/// A directory of its own for one test, removed by `remove()`.
struct TemporaryDirectory {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "reports-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func file(_ name: String) -> String { path + "/" + name }

  func contents(_ name: String) -> String? {
    FileManager.default.contents(atPath: file(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
