import Foundation
import TestSupport
import Testing

@Suite("--damaged")
struct DamagedTests {
  private let folder: TemporaryFolder
  private let lines = Samples.decisions(0..<30)
  private var log: String { folder.path("log") }
  private var segment: String { "\(log)/seg-00000000000000000000.bdl" }

  /// A log of three frames; a byte of the second one's header is another.
  init() throws {
    folder = try TemporaryFolder()
    var ends: [Int] = []
    for part in [lines[..<10], lines[10..<20], lines[20...]] {
      expectDone(try Command.run("append \(folder.path("log"))", input: part.text))
      ends.append(try size())
    }
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: segment)))
    bytes[ends[0] + 20] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: segment))
  }

  private func size() throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: folder.path("log/seg-00000000000000000000.bdl")))
      .count
  }

  @Test("strict, the default, stops and says how to continue and how to repair")
  func strict() throws {
    for verb in ["log cat", "export", "report rewards"] {
      for option in ["", " --damaged strict"] {
        expectFailure(
          try Command.run("\(verb) \(log)\(option)"), 65, says: segment, "events from 10 on",
          "--damaged skip", "bandolier log repair")
      }
    }
  }

  @Test("skip hands out the rest and lists what is lost on standard error")
  func skip() throws {
    for verb in ["log cat", "export"] {
      let result = try Command.run("\(verb) \(log) --damaged skip")
      #expect(result.exitCode == 0)
      // The third frame uses a name that came with the first, so only the second is lost.
      #expect(result.lines == Array(lines[..<10]) + Array(lines[20...]))
      #expect(result.messages.contains("lost: \(segment), byte "))
      #expect(result.messages.contains("events 10 to 19 (no frame begins here)"))
      #expect(result.messages.contains("lost: 10 events in 1 place"))
    }
  }

  @Test("report health counts events whose loss is found only when they are read")
  func health() throws {
    let other = folder.path("other")
    expectDone(try Command.run("append \(other)", input: lines.text))
    let file = URL(fileURLWithPath: "\(other)/seg-00000000000000000000.bdl")
    let whole = Array(try Data(contentsOf: file))
    for place in stride(from: whole.count - 1, to: 0, by: -8) {
      var bytes = whole
      bytes[place] ^= 1
      try Data(bytes).write(to: file)
      let rewards = try Command.run("report rewards \(other) --damaged skip")
      guard rewards.messages.contains("column unit, events 0 to 29") else { continue }
      let health = try Command.run(
        "report health \(other) --damaged skip --format csv --fail-on lost")
      #expect(health.exitCode == 3)
      #expect(health.lines.contains { $0.hasPrefix("lost_events,,1,0,,failed,") })
      return
    }
    Issue.record("no byte of the column of units was found")
  }

  @Test(
    "report health skips damage to any column, and counts the same events in every check",
    .enabled(if: SlowTests.areWanted, "make test SLOW=1 runs it"))
  func healthOfColumns() throws {
    let other = folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    let whole = Array(
      try Data(contentsOf: URL(fileURLWithPath: "datasets/storefront.log/seg-00000000000000000000.bdl")))
    let file = URL(fileURLWithPath: "\(other)/seg-00000000000000000000.bdl")
    var found: Set<String> = []
    for place in stride(from: whole.count - 300, to: 0, by: -900) {
      var bytes = whole
      bytes[place] ^= 1
      try Data(bytes).write(to: file)
      let problem = try Command.run("log verify \(other)").messages
      guard let column = problem.firstMatch(of: /column (.+) of the events/)?.1,
        found.insert(String(column)).inserted
      else { continue }
      let health = try Command.run("report health \(other) --damaged skip --format csv")
      #expect(health.exitCode == 0, "\(column): \(health.messages)")
      // All events are in one frame: those of the rows are lost with those of the units.
      let isKept = !health.lines.contains { $0.hasPrefix("busy_units,") && $0.contains("there are no units") }
      let rows = health.lines.contains { $0.hasPrefix("propensity_choice,") }
      #expect(isKept == rows, "\(column)")
    }
    #expect(found.isSuperset(of: ["id", "unit", "revenue", "probabilities"]), "\(found)")
  }

  @Test("a report of a damaged log says first of all, and in its notes, what is lost")
  func report() throws {
    let json = try Command.run("report rewards \(log) --damaged skip --format json")
    #expect(json.exitCode == 0)
    #expect(json.text.contains(#""events_lost":10"#))
    #expect(json.text.contains("events 10 to 19 (no frame begins here)"))
    #expect(json.text.contains(#""decisions_confirmed":20"#))
    let table = try Command.run("report rewards \(log) --damaged skip --format table")
    #expect(table.text.hasPrefix("The log is damaged: 10 events could not be read"))
    let wide = try Command.run("report rewards \(log) --damaged skip --format table --wide")
    #expect(wide.text.contains("events 10 to 19"))
    let other = folder.path("other")
    expectDone(try Command.run("append \(other)", input: lines.text))
    let whole = try Command.run("report rewards \(other) --damaged skip --format json")
    expectDone(whole)
    #expect(!whole.text.contains("lost"))
    #expect(whole.messages == "")
  }

  @Test("evaluate reads the log of --truth as its own, and says what is lost of it")
  func truth() throws {
    let whole = folder.path("whole")
    expectDone(try Command.run("append \(whole)", input: lines.text))
    let words = "evaluate \(whole) --policy uniform --truth \(log) --format json"
    expectFailure(try Command.run(words), 65, says: segment, "--damaged skip")
    let result = try Command.run(words + " --damaged skip")
    #expect(result.exitCode == 0 && result.messages.contains("lost: 10 events of \(log)"))
    #expect(result.text.contains("The log of --truth is damaged: 10 events could not be read"))
    #expect(result.text.contains(#""truth_events_lost":10,"truth_lost_1":"\#(segment), byte "#))
    #expect(!result.text.contains(#""events_lost""#))
  }

  @Test("that a report is empty because events are lost is said, and not that there are none")
  func lost() throws {
    for (place, text) in [(100, "note: all 30 events of "), (900, ", of which 30 are lost")] {
      let whole = folder.path("whole-\(place)")
      expectDone(try Command.run("append \(whole)", input: lines.text))
      try Files.change("\(whole)/seg-00000000000000000000.bdl") { $0[place] ^= 1 }
      let result = try Command.run("report rewards \(whole) --damaged skip")
      #expect(result.exitCode == 0 && result.lines.count == 1)
      #expect(result.messages.contains(text), "\(result.messages)")
      let words = "evaluate \(log) --policy uniform --damaged skip --truth \(whole)"
      expectFailure(try Command.run(words), 65, says: "lost: 30 events of \(whole)")
    }
  }

  @Test("twenty losses are listed and the others counted")
  func manyLosses() throws {
    let many = folder.path("many")
    for part in 0..<25 {
      expectDone(try Command.run("append \(many)", input: [lines[part]].text))
    }
    let file = "\(many)/seg-00000000000000000000.bdl"
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    // The checksum of the last eight bytes of every frame with an event is made wrong.
    let end = Array("MRF1".utf8)
    for place in bytes.indices.dropLast(4) where Array(bytes[place..<place + 4]) == end {
      bytes[place - 8] ^= 1
    }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    let result = try Command.run("log cat \(many) --damaged skip")
    #expect(result.exitCode == 0 && result.lines == Array(lines[..<25]))
    let lost = result.messages.split(separator: "\n").filter { $0.contains("lost: ") }
    #expect(lost.count == 22 && lost[20].contains("more places"))
  }
}
