import Foundation
import TestSupport
import Testing

@testable import Tables

/// Whether a value read by Foundation is the cell.
func isJSON(_ value: Any?, _ cell: TableCell) -> Bool {
  switch cell {
  case .text(let text), .timestamp(let text):
    (value as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
  case .integer(let number): (value as? NSNumber)?.intValue == number
  // By way of text: Foundation reads a decimal number without loss, but loses its last digit in
  // making a Double of it.
  case .decimal(let number): (value as? NSNumber).flatMap { Double($0.stringValue) } == number
  case .flag(let flag): (value as? Bool) == flag
  case .empty: value is NSNull
  }
}

@Suite("The JSON writer")
struct JSONWriterTests {
  @Test("writes the expected bytes")
  func golden() throws {
    #expect(
      text(write(try sampleTable(), as: .json)) == #"""
        {"report":"rewards",
        "answer":[],
        "columns":[
        {"name":"experiment","kind":"key","type":"text","description":"The experiment."},
        {"name":"variant","kind":"key","type":"text","description":"The variant."},
        {"name":"decisions","kind":"measure","type":"integer","description":"Decisions, a count."},
        {"name":"reward_mean","kind":"measure","type":"decimal","description":"Mean reward per decision."},
        {"name":"significant","kind":"measure","type":"flag","description":"Whether the interval leaves out 0."},
        {"name":"last_seen","kind":"measure","type":"timestamp","description":"Time of the last decision."}
        ],
        "notes":{"attribution":"last","late_goals":3},
        "rows":[
        {"experiment":"checkout","variant":"red, or \"rot\"","decisions":1200,"reward_mean":0.3333333333333333,"significant":true,"last_seen":"2026-01-02T03:04:05.678901Z"},
        {"experiment":"checkout","variant":"=blue|2","decisions":-7,"reward_mean":10,"significant":false,"last_seen":null},
        {"experiment":"東京","variant":"a\nb","decisions":null,"reward_mean":null,"significant":null,"last_seen":null}
        ]}

        """#)
  }

  @Test("is read back by Foundation cell for cell, thousands of hostile tables")
  func roundTrip() throws {
    for seed in UInt64(0)..<2_000 {
      let table = try hostileTable(seed: seed)
      let read = try JSONSerialization.jsonObject(with: Data(write(table, as: .json)))
      let object = try #require(read as? [String: Any], "seed \(seed)")
      #expect(Set(object.keys) == ["report", "answer", "columns", "notes", "rows"])
      #expect(object["report"] as? String == table.name)
      let columns = try #require(object["columns"] as? [[String: String]], "seed \(seed)")
      #expect(columns.map { $0["name"] } == table.columns.map(\.name))
      #expect(columns.map { $0["description"] } == table.columns.map(\.description))
      let notes = try #require(object["notes"] as? [String: Any], "seed \(seed)")
      for note in table.notes { #expect(isJSON(notes[note.name], note.value), "seed \(seed)") }
      let rows = try #require(object["rows"] as? [[String: Any]], "seed \(seed)")
      #expect(rows.count == table.rows.count, "seed \(seed)")
      for (read, row) in zip(rows, table.rows) {
        for (column, cell) in zip(table.columns, row) {
          #expect(isJSON(read[column.name], cell), "seed \(seed), \(column.name)")
        }
      }
    }
  }

  @Test("writes no byte that a terminal obeys, except the line feeds between rows")
  func controls() throws {
    for seed in UInt64(0)..<500 {
      let output = text(write(try hostileTable(seed: seed), as: .json))
      #expect(
        output.unicodeScalars.allSatisfy {
          $0 == "\n" || $0.properties.generalCategory != .control
        },
        "seed \(seed)")
    }
  }

  @Test("writes a table without rows")
  func empty() throws {
    let table = try Table(name: "t", title: "", columns: [.key("a", .text, "A.")])
    #expect(
      text(write(table, as: .json)) == """
        {"report":"t",
        "answer":[],
        "columns":[
        {"name":"a","kind":"key","type":"text","description":"A."}
        ],
        "notes":{},
        "rows":[]}

        """)
  }
}
