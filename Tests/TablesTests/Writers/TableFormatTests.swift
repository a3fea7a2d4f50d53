import TestSupport
import Testing

@testable import Tables

/// A sink that keeps what it is given, and fails when it has had enough.
final class MemorySink: ByteSink {
  var pieces: [[UInt8]] = []
  var failsAfter = Int.max

  func append(_ bytes: [UInt8]) throws(OutputError) {
    guard pieces.count < failsAfter else { throw OutputError(.brokenPipe, "gone") }
    pieces.append(bytes)
  }
}

@Suite("Report formats")
struct TableFormatTests {
  private func largeTable() throws -> Table {
    var table = try Table(name: "t", title: "", columns: [.key("a", .text, "")])
    for number in 0..<20_000 { try table.append(row: [.text("value number \(number)")]) }
    return table
  }

  @Test("have the names of the command line")
  func names() {
    #expect(
      TableFormat.allCases.map(\.rawValue) == ["table", "csv", "json", "jsonl", "markdown"])
    #expect(TableFormat.usual(onTerminal: true) == .table)
    #expect(TableFormat.usual(onTerminal: false) == .csv)
    #expect(
      TableFormat.allCases.map(\.fileExtension) == ["txt", "csv", "json", "jsonl", "md"])
  }

  @Test("give the same bytes to a sink as in one piece, in pieces of bounded size")
  func sinks() throws {
    let table = try largeTable()
    for format in TableFormat.allCases {
      let sink = MemorySink()
      try write(table, as: format, to: sink)
      #expect(Array(sink.pieces.joined()) == write(table, as: format))
      #expect(sink.pieces.count > 1)
      #expect(sink.pieces.allSatisfy { $0.count < 80_000 && !$0.isEmpty })
    }
  }

  @Test("stop at the first error of the sink and pass it on")
  func sinkErrors() throws {
    let table = try largeTable()
    for format in TableFormat.allCases {
      let sink = MemorySink()
      sink.failsAfter = 1
      #expect(throws: OutputError(.brokenPipe, "gone")) { try write(table, as: format, to: sink) }
      #expect(sink.pieces.count == 1)
    }
  }

  @Test("give the same bytes every time")
  func deterministic() throws {
    for seed in UInt64(0)..<200 {
      for format in TableFormat.allCases {
        let first = write(try hostileTable(seed: seed), as: format)
        #expect(first == write(try hostileTable(seed: seed), as: format), "seed \(seed)")
      }
    }
  }
}
