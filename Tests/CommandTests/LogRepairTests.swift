import Foundation
import TestSupport
import Testing

@Suite("log repair")
struct LogRepairTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var segment: String { "\(log)/seg-00000000000000000000.bdl" }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A log of three frames of which the middle one is damaged.
  private func damagedLog() throws -> [String] {
    let lines = Samples.decisions(0..<30)
    var ends: [Int] = []
    for start in [0, 10, 20] {
      expectDone(try Command.run("append \(log)", input: lines[start..<start + 10].text))
      ends.append(try Files.bytes(segment).count)
    }
    try Files.change(segment) { $0[(ends[0] + ends[1]) / 2] ^= 1 }
    return lines
  }

  @Test("discards damaged blocks, reports them, and keeps the rest and the damaged file")
  func repairs() throws {
    let lines = try damagedLog()
    let damaged = try Files.bytes(segment)
    expectFailure(try Command.run("log verify \(log)"), 65, says: segment, "events 10 to 19")

    let preview = try Command.run("log repair \(log) --dry-run")
    expectDone(preview)
    #expect(preview.messages.contains("would give up 10 events"))
    #expect(preview.messages.contains("would rewrite \(segment)"))
    #expect(preview.messages.contains("events 10 to 19"))
    #expect(try Files.bytes(segment) == damaged)

    let result = try Command.run("log repair \(log)")
    expectDone(result)
    #expect(result.text == "" && result.messages.contains("gave up 10 events"))
    #expect(try Command.events(log) == Array(lines[..<10] + lines[20...]))
    expectDone(try Command.run("log verify \(log) --deep"))
    #expect(try Files.bytes("\(log)/quarantine/seg-00000000000000000000.bdl-0-1") == damaged)
    #expect(try Command.run("log info \(log)").text.contains("events.lost,10"))

    let append = try Command.start(["append", log, "--ack"])
    append.send(lines[0...0].text)
    #expect(try append.waitForLines(1).hasPrefix("ack 30"))
    expectDone(try append.finish())
    #expect(try Command.run("log repair \(log)").messages.contains("nothing is damaged"))
  }

  @Test("before it, --damaged skip reads what can be read, and says what is lost")
  func skipping() throws {
    let lines = try damagedLog()
    let result = try Command.run("log cat \(log) --damaged skip")
    expectDone(result)
    #expect(result.lines == Array(lines[..<10] + lines[20...]))
    #expect(result.messages.contains("events 10 to 19"))
  }

  @Test("is refused without a log, and while another process writes")
  func refused() throws {
    expectFailure(try Command.run("log repair \(folder.path("nothing"))"), 66, says: "nothing")
    let writer = try Command.start(["append", log, "--ack"])
    writer.send(Samples.decisions(0..<1).text)
    _ = try writer.waitForLines(1)
    expectFailure(try Command.run("log repair \(log)"), 75, says: "another writer")
    expectDone(try writer.finish())
  }
}
