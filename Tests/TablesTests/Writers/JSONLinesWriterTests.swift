import Foundation
import TestSupport
import Testing

@testable import Tables

@Suite("The JSON Lines writer")
struct JSONLinesWriterTests {
  @Test("writes the expected bytes")
  func golden() throws {
    #expect(
      text(write(try sampleTable(), as: .jsonl)) == #"""
        {"experiment":"checkout","variant":"red, or \"rot\"","decisions":1200,"reward_mean":0.3333333333333333,"significant":true,"last_seen":"2026-01-02T03:04:05.678901Z"}
        {"experiment":"checkout","variant":"=blue|2","decisions":-7,"reward_mean":10,"significant":false,"last_seen":null}
        {"experiment":"東京","variant":"a\nb","decisions":null,"reward_mean":null,"significant":null,"last_seen":null}

        """#)
  }

  @Test("writes each row as an object on one line, for hostile tables too")
  func roundTrip() throws {
    for seed in UInt64(5_000)..<6_000 {
      let table = try hostileTable(seed: seed)
      let lines = write(table, as: .jsonl).split(separator: UInt8(ascii: "\n"))
      #expect(lines.count == table.rows.count, "seed \(seed)")
      for (line, row) in zip(lines, table.rows) {
        let read = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        for (column, cell) in zip(table.columns, row) {
          #expect(isJSON(read?[column.name], cell), "seed \(seed), \(column.name)")
        }
      }
    }
  }

  @Test("writes nothing for a table without rows")
  func empty() throws {
    let table = try Table(name: "t", title: "", columns: [.key("a", .text, "")])
    #expect(write(table, as: .jsonl).isEmpty)
  }
}
