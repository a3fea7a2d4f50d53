import Foundation
import TestSupport
import Testing

@Suite("log")
struct LogTests {
  private let folder: TemporaryFolder
  private let lines = Samples.decisions(0..<40)
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
    for part in [lines[..<25], lines[25...]] {
      expectDone(try Command.run("append \(folder.path("log"))", input: part.text))
    }
  }

  private var segment: String { "\(log)/seg-00000000000000000000.bdl" }

  private func change(_ body: (inout [UInt8]) -> Void) throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: segment)))
    body(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: segment))
  }

  @Test("verify says that a whole log is whole")
  func whole() throws {
    let size = try FileManager.default.attributesOfItem(atPath: segment)[.size] as? Int
    let result = try Command.run("log verify \(log)")
    expectDone(result)
    #expect(result.text == "whole: 40 events, \(size ?? 0) bytes\n")
    #expect(result.messages == "")
    let deep = try Command.run("log verify \(log) --deep")
    expectDone(deep)
    #expect(deep.text == result.text)
    let progress = try Command.run("log verify \(log) --progress always")
    #expect(progress.messages.contains("B/s"), "\(progress.messages)")
  }

  @Test(
    "verify names the file and the byte when any bit of what was stored is another",
    arguments: 1...12 as ClosedRange<UInt64>)
  func flipped(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var place = 0
    try change { bytes in
      place = random.index(bytes.count)
      bytes[place] ^= 1 << UInt8(random.index(8))
    }
    let result = try Command.run("log verify \(log)")
    expectFailure(result, 65, says: segment)
    if place >= 64 {
      let named = result.messages.firstMatch(of: /byte (\d+)/).flatMap { Int($0.1) }
      #expect(
        named.map { $0 <= place } == true, "byte \(place), seed \(seed): \(result.messages)")
    }
    #expect(lines.starts(with: try Command.run("log cat \(log)").lines), "never a wrong event")
  }

  /// What a crash before the last commit was acknowledged leaves: the frame that says that it was durable is
  /// not there, and the one before it is cut off.
  private func crash() throws {
    try change { $0.removeLast(152 + 7) }
    for copy in ["HEAD.0", "HEAD.1"] {
      try FileManager.default.removeItem(atPath: "\(log)/\(copy)")
    }
  }

  @Test("verify tells a tail that nobody writes any more; every other verb reads what is whole")
  func cutTail() throws {
    try crash()
    expectFailure(
      try Command.run("log verify \(log)"), 65, says: segment, "behind event 25",
      "a crash left them",
      "moves the bytes to the quarantine")
    let result = try Command.run("report rewards \(log)")
    expectDone(result)
    // Without the proof of how far the log was durable, it may be a copy that was cut short.
    #expect(result.messages.hasPrefix("bandolier: warning: "))
    #expect(result.messages.contains(segment))
    #expect(result.messages.contains("if the log is a copy, copy all its files again"))
    #expect(try Command.events(log) == Array(lines[..<25]))
    #expect(try Command.run("log verify datasets/storefront.log").messages.contains("without HEAD.0"))
  }

  @Test("with one copy of HEAD missing or damaged, verify fails and every other verb warns")
  func damagedHead() throws {
    let heads = ["HEAD.0", "HEAD.1"].map { "\(log)/\($0)" }
    // The first of all commits makes one copy only.
    for _ in 0..<2 { expectDone(try Command.run("append \(log)", input: lines[0] + "\n")) }
    let whole = try heads.map { try Files.bytes($0) }
    for (path, bytes) in zip(heads, whole) {
      for content in [nil, Data("garbage".utf8)] {
        try FileManager.default.removeItem(atPath: path)
        if let content { try content.write(to: URL(fileURLWithPath: path)) }
        expectFailure(try Command.run("log verify \(log)"), 65, says: "HEAD.0 and HEAD.1 is missing or damaged")
        let result = try Command.run("report rewards \(log)")
        expectDone(result)
        #expect(result.messages.hasPrefix("bandolier: warning: \(log): one of HEAD.0 and HEAD.1"))
        try Data(bytes).write(to: URL(fileURLWithPath: path))
      }
    }
    expectDone(try Command.run("log verify \(log)"))
    expectDone(try Command.run("append \(log)", input: lines[0] + "\n"))
    #expect(try Command.run("log verify \(log)").messages == "")
  }

  @Test("the next writer sets a torn tail aside, says where, and goes on")
  func setsAside() throws {
    try crash()
    let result = try Command.run("append \(log)", input: lines[25...].text)
    expectDone(result)
    #expect(result.messages.contains("moved to \(log)/quarantine/"))
    #expect(try Command.events(log) == lines)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(log)/quarantine").count == 1)
  }

  @Test("cat prints the events from one position to before another")
  func catRange() throws {
    #expect(try Command.run("log cat \(log) --from 5 --to 8").lines == Array(lines[5..<8]))
    #expect(try Command.run("log cat \(log) --from 30").lines == Array(lines[30...]))
    #expect(try Command.run("log cat \(log) --to 26").lines == Array(lines[..<26]))
    for range in ["--from 40", "--from 99 --to 200", "--to 0", "--from 7 --to 7"] {
      let result = try Command.run("log cat \(log) \(range)")
      expectDone(result)
      #expect(result.text == "")
    }
    expectFailure(try Command.run("log cat \(log) --from 8 --to 5"), 64, says: "--to")
    expectFailure(try Command.run("log cat \(log) --from -1"), 64, says: "--from")
    expectFailure(try Command.run("log cat \(log) --from x"), 64, says: "--from")
  }

  @Test("info counts what is in the log, and its columns on demand")
  func info() throws {
    let info = try Command.run("log info \(log) --format csv")
    expectDone(info)
    for row in ["property,value", "events,40", "events.decision,40", "segments,1", "frames,2"] {
      #expect(info.lines.contains(row), "\(row)")
    }
    #expect(info.lines.contains { $0.hasPrefix("name_bytes.variants,") }, "\(info.text)")
    let json = try Command.run("log info \(log) --json")
    expectDone(json)
    #expect(json.text == (try Command.run("log info \(log) --format json")).text)
    expectFailure(
      try Command.run("log info \(log) --json --format csv"), 64, says: "cannot be combined")
    let columns = try Command.run("log info \(log) --columns --format csv")
    expectDone(columns)
    #expect(columns.lines.contains { $0.hasPrefix("variant") }, "\(columns.text)")
  }

  @Test("a log that is not there is a missing input, for every verb that reads one")
  func missing() throws {
    for verb in ["log info", "log verify", "log cat", "export", "report rewards"] {
      let path = folder.path("nothing")
      expectFailure(
        try Command.run("\(verb) \(path)"), 66,
        says: "\(path): there is no log here; check the path")
    }
  }

  @Test("an empty folder is a log without events")
  func empty() throws {
    let path = folder.path("empty")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(try Command.run("log verify \(path)").text.hasPrefix("whole: 0 events"))
    #expect(try Command.events(path).isEmpty)
    #expect(try Command.run("report rewards \(path) --format csv").lines.count == 1)
  }
}
