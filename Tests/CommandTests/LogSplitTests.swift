import Foundation
import TestSupport
import Testing

@Suite("log split")
struct LogSplitTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("every event of a unit is in one shard, in order, and what concerns everyone in all")
  func splits() throws {
    var random = SeededGenerator(seed: 9)
    var lines: [String] = []
    for second in 0..<300 {
      let unit = random.chance(0.1) ? "" : "u\(random.index(25))"
      let start = #"{"type":"\#(unit.isEmpty ? "sessionExpired" : "goal")","#
      let rest = unit.isEmpty ? "" : #","experiment":"e","goal":"g""#
      lines.append(
        start + #""time":"\#(Timestamps.text(seconds: second))","unit":"\#(unit)"\#(rest)}"#)
    }
    expectDone(try Command.run("append \(log)", input: lines.text))
    let results = try ["x", "y"].map {
      try Command.run("log split \(log) --by unit --into 3 -o \(folder.path($0))")
    }
    for result in results { expectDone(result) }
    let unit = { (line: String) in
      line.firstMatch(of: /"unit":"([^"]*)"/).map { String($0.output.1) } ?? ""
    }
    var owners: [String: Int] = [:]
    var total = 0
    for shard in 0..<3 {
      let stored = try Command.events(folder.path("x-\(shard)"))
      #expect(results[0].messages.contains("wrote \(stored.count) events to"))
      let units = Set(stored.map(unit))
      #expect(units.count > 1)
      #expect(stored == lines.filter { units.contains(unit($0)) })
      for name in units where !name.isEmpty {
        #expect(owners.updateValue(shard, forKey: name) == nil, "\(name)")
      }
      total += units.subtracting([""]).count
      let name = "seg-00000000000000000000.bdl"
      #expect(
        try Files.bytes(folder.path("x-\(shard)/\(name)"))
          == Files.bytes(folder.path("y-\(shard)/\(name)")))
    }
    #expect(total == Set(lines.map(unit)).subtracting([""]).count)
  }

  @Test("the shards of a log, merged again, are its events by time")
  func mergedAgain() throws {
    let lines = Samples.decisions(0..<200)
    expectDone(try Command.run("append \(log)", input: lines.text))
    expectDone(try Command.run("log split \(log) --into 4 -o \(folder.path("s"))"))
    let shards = (0..<4).map { folder.path("s-\($0)") }.joined(separator: " ")
    expectDone(try Command.run("log merge \(shards) -o \(folder.path("all"))"))
    #expect(try Command.events(folder.path("all")) == lines)
  }

  @Test("a shard that holds events is refused before anything is written")
  func refuses() throws {
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<3).text))
    let taken = folder.path("s-1")
    expectDone(try Command.run("append \(taken)", input: Samples.decisions(0..<1).text))
    expectFailure(
      try Command.run("log split \(log) --into 2 -o \(folder.path("s"))"), 73, says: taken)
    #expect(!FileManager.default.fileExists(atPath: folder.path("s-0")))
    for count in ["0", "4097", "-1", "x"] {
      expectFailure(
        try Command.run("log split \(log) --into \(count) -o \(folder.path("t"))"), 64,
        says: "--into")
    }
  }
}
