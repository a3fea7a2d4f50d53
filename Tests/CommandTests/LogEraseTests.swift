import Foundation
import TestSupport
import Testing

@Suite("log erase")
struct LogEraseTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func contents() throws -> String {
    let names = try FileManager.default.subpathsOfDirectory(atPath: log)
    return try names.filter { $0 != "quarantine" }.map {
      String(decoding: try Files.bytes(log + "/" + $0), as: Unicode.UTF8.self)
    }.joined()
  }

  @Test("a unit goes with all its events and its name; the others stay at their positions")
  func unit() throws {
    let lines = Samples.decisions(0..<20)
    let secret = lines[7].replacingOccurrences(of: "u7", with: "anna@example.org")
    expectDone(try Command.run("append \(log)", input: (lines + [secret]).text))
    let preview = try Command.run("log erase \(log) --unit anna@example.org --dry-run")
    expectDone(preview)
    #expect(preview.messages.contains("would erase 1 events and 1 names in 1 segments"))
    #expect(try Command.events(log) == lines + [secret])

    let result = try Command.run("log erase \(log) --unit anna@example.org --unit u3")
    expectDone(result)
    #expect(result.messages.contains("erased 2 events and 2 names in 1 segments"))
    #expect(try !contents().contains("anna@example.org"))
    #expect(try Command.events(log) == Array(lines[..<3] + lines[4...]))
    expectDone(try Command.run("log verify \(log)"))
    let info = try Command.run("log info \(log)").text
    #expect(info.contains("\"\"operation\"\":\"\"erase\"\"") && !info.contains("anna"))
    // The position of what was appended last is not given away again.
    let append = try Command.start(["append", log, "--ack"])
    append.send(lines[0...0].text)
    #expect(try append.waitForLines(1).hasPrefix("ack 21"))
    expectDone(try append.finish())
  }

  @Test("events before a time go")
  func before() throws {
    let lines = Samples.decisions(0..<20)
    expectDone(try Command.run("append \(log)", input: lines.text))
    let time = Timestamps.text(seconds: 12)
    let result = try Command.run("log erase \(log) --before \(time)")
    expectDone(result)
    #expect(result.messages.contains("erased 12 events"))
    #expect(try Command.events(log) == Array(lines[12...]))
    #expect(try Command.run("log info \(log)").text.contains(time))
  }

  @Test("erasing needs a selection; a unit that does not exist is no error")
  func mistakes() throws {
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<2).text))
    expectFailure(try Command.run("log erase \(log)"), 64, says: "--unit", "--before")
    expectFailure(try Command.run(["log", "erase", log, "--unit", ""]), 64, says: "empty")
    expectFailure(try Command.run("log erase \(log) --before noon"), 64, says: "2026-01-02")
    let result = try Command.run("log erase \(log) --unit nobody")
    expectDone(result)
    #expect(result.messages.contains("erased 0 events"))
    #expect(try Command.events(log).count == 2)
  }
}
