import Foundation
import TestSupport
import Testing

@Suite("log compact")
struct LogCompactTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func appendSmallFrames() throws -> [String] {
    let lines = Samples.decisions(0..<60)
    for start in stride(from: 0, to: 60, by: 6) {
      expectDone(try Command.run("append \(log)", input: lines[start..<start + 6].text))
    }
    return lines
  }

  @Test("makes a log of many small appends smaller, and leaves its events as they are")
  func compacts() throws {
    let lines = try appendSmallFrames()
    let before = try Command.run("report rewards \(log)").text
    let size = try Files.bytes("\(log)/seg-00000000000000000000.bdl").count
    let result = try Command.run("log compact \(log)")
    expectDone(result)
    #expect(result.text == "")
    #expect(result.messages.contains("compacted 60 events in 1 segments: \(size) bytes before"))
    #expect(try Files.bytes("\(log)/seg-00000000000000000000.bdl").count < size / 4)
    #expect(try Command.events(log) == lines)
    #expect(try Command.run("report rewards \(log)").text == before)
    expectDone(try Command.run("log verify \(log)"))
    expectDone(try Command.run("append \(log)", input: lines[0...2].text))
    #expect(try Command.events(log) == lines + lines[0...2])
  }

  @Test("takes a profile, and says which there are")
  func profiles() throws {
    let lines = Samples.heavyDecisions(500, seed: 1)
    expectDone(try Command.run("append \(log)", input: lines.text))
    var sizes: [Int] = []
    for profile in ["fast", "balanced", "small"] {
      expectDone(try Command.run("log compact \(log) --profile \(profile)"))
      sizes.append(try Files.bytes("\(log)/seg-00000000000000000000.bdl").count)
      #expect(try Command.events(log) == lines)
    }
    #expect(sizes == sizes.sorted(by: >))
    expectFailure(
      try Command.run("log compact \(log) --profile tiny"), 64, says: "fast", "balanced", "small")
  }

  @Test("is refused without a log, and while another process writes")
  func refused() throws {
    expectFailure(try Command.run("log compact \(folder.path("nothing"))"), 66, says: "nothing")
    let writer = try Command.start(["append", log, "--ack"])
    writer.send(Samples.decisions(0..<1).text)
    _ = try writer.waitForLines(1)
    expectFailure(try Command.run("log compact \(log)"), 75, says: "another writer")
    expectDone(try writer.finish())
    expectDone(try Command.run("log compact \(log)"))
  }

  @Test("a reader that follows sees every event once, before it, during it and after it")
  func follower() throws {
    let lines = try appendSmallFrames()
    let reader = try Command.start(["log", "cat", log, "--follow"])
    _ = try reader.waitForLines(60)
    expectDone(try Command.run("log compact \(log)"))
    let more = Samples.decisions(60..<70)
    for line in more { expectDone(try Command.run("append \(log)", input: [line].text)) }
    _ = try reader.waitForLines(70)
    expectDone(try Command.run("log compact \(log) --profile small"))
    let last = Samples.decisions(70..<72)
    expectDone(try Command.run("append \(log)", input: last.text))
    _ = try reader.waitForLines(72)
    reader.signal(SIGINT)
    let result = try reader.wait()
    #expect(result.exitCode == 130)
    #expect(result.lines == lines + more + last)
  }
}
