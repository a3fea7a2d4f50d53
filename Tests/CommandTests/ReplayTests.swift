import Foundation
import TestSupport
import Testing

@Suite("replay")
struct ReplayTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var model: String { folder.path("model.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func line(_ number: Int) -> String {
    let time =
      "2026-01-02T03:\(String(format: "%02d", number / 60 % 60)):\(String(format: "%02d", number % 60))Z"
    let unit = "u\(number * 7 % 83)"
    if number % 10 == 7 {
      return
        #"{"type":"conversion","time":"\#(time)","unit":"\#(unit)","goal":"c","revenue":2.\#(number)}"#
    }
    return number % 3 == 0
      ? #"{"type":"goal","time":"\#(time)","unit":"\#(unit)","experiment":"e","goal":"g","value":0.\#(number)}"#
      : #"{"type":"decision","time":"\#(time)","unit":"\#(unit)","experiment":"e","variant":"v\#(number % 5)"}"#
  }

  private func append(_ numbers: Range<Int>, to log: String? = nil) throws {
    expectDone(try Command.run("append \(log ?? self.log)", input: numbers.map(line).text))
  }

  private func replay(_ options: String = "") throws -> CommandResult {
    try Command.run("replay \(log) --into \(model) \(options)")
  }

  private func expectSameReports() throws {
    for options in ["--format csv", "--format json --per unit", "--format markdown --alpha 0.2"] {
      let ofLog = try Command.run("report rewards \(log) \(options)")
      let ofModel = try Command.run("report rewards \(model) \(options)")
      expectDone(ofModel)
      #expect(ofModel.output == ofLog.output && !ofLog.output.isEmpty)
    }
    for options in ["--format csv", "--format json --alpha 0.2", "--window 7d"] {
      let ofLog = try Command.run("report conversions \(log) \(options)")
      let ofModel = try Command.run("report conversions \(model) \(options)")
      expectDone(ofModel)
      #expect(ofModel.output == ofLog.output && !ofLog.output.isEmpty)
    }
  }

  @Test("makes a database, adds what is new, and reports say the same of it as of the log")
  func adds() throws {
    try append(0..<300)
    let before = try Files.bytes("\(log)/seg-00000000000000000000.bdl")
    let made = try replay()
    expectDone(made)
    #expect(made.text == "" && made.messages.contains("created from 300 events of 83 units"))
    #expect(try Files.bytes("\(log)/seg-00000000000000000000.bdl") == before)
    try expectSameReports()
    try append(300..<310)
    let added = try replay("--jobs 2 --memory 1M")
    expectDone(added)
    #expect(added.messages.contains("10 events of 10 units added; it now has all 310 events"))
    try expectSameReports()
    let unchanged = try replay()
    expectDone(unchanged)
    #expect(unchanged.messages.contains("up to date with all 310 events; nothing to do"))
    #expect(folder.files.sorted() == ["log", "model.sqlite"])
  }

  @Test("after kill -9 at any moment, the next replay leaves what it would have without")
  func killed() throws {
    try append(0..<2_000)
    expectDone(try replay())
    try append(2_000..<2_600)
    let start = try Files.bytes(model)
    expectDone(try replay())
    let expected = try Command.run("report rewards \(model)").output
    for attempt in 0..<12 {
      for suffix in ["-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: model + suffix)
      }
      if attempt % 3 == 0 {
        try FileManager.default.removeItem(atPath: model)
      } else {
        try Data(start).write(to: URL(fileURLWithPath: model))
      }
      let command = try Command.start(["replay", log, "--into", model])
      usleep(UInt32(attempt * 8_000))
      command.signal(SIGKILL)
      _ = try command.finish()
      expectDone(try replay())
      #expect(try Command.run("report rewards \(model)").output == expected, "attempt \(attempt)")
      #expect(folder.files.sorted() == ["log", "model.sqlite"], "attempt \(attempt)")
    }
  }

  @Test("a database of another log is refused with both ids unless it is to be made anew")
  func otherLog() throws {
    try append(0..<20)
    expectDone(try replay())
    let other = folder.path("other")
    try append(0..<30, to: other)
    let result = try Command.run("replay \(other) --into \(model)")
    expectFailure(result, 65, says: "it is of the log", other, "--force")
    let forced = try Command.run("replay \(other) --into \(model) --force")
    expectDone(forced)
    #expect(forced.messages.contains("rebuilt from 30 events"))
  }

  @Test("a unit that was erased from the log is not in the database after the next replay")
  func erased() throws {
    try append(0..<200)
    expectDone(try replay())
    expectDone(try Command.run("log erase \(log) --unit u7"))
    let result = try replay()
    expectDone(result)
    #expect(result.messages.contains("the log has been rewritten"))
    try expectSameReports()
  }

  @Test("a file that is not a database is rejected, with how to fix it")
  func refused() throws {
    try append(0..<20)
    let garbage = try folder.write("this is a text, and by no means a database", "text")
    expectFailure(try Command.run("replay \(log) --into \(garbage)"), 65, says: "--force", garbage)
    expectDone(try Command.run("replay \(log) --into \(garbage) --force"))
    expectFailure(try Command.run("replay \(log) --into \(folder.path)"), 73, says: folder.path)
    expectFailure(
      try Command.run("replay \(log) --into \(log)/model.sqlite"), 64, says: "the folder of the log"
    )
    expectFailure(try Command.run("replay \(folder.path("nothing")) --into \(model)"), 66)
    expectFailure(try Command.run("replay \(log)"), 64, says: "--into")
    expectFailure(try replay("--jobs 0"), 64, says: "--jobs")
    #expect(!FileManager.default.fileExists(atPath: model))
    let empty = try folder.write("", "empty")
    expectFailure(
      try Command.run("report rewards \(empty)"), 66, says: "it is empty", empty)
  }

  @Test(
    "a full disk leaves the database as it was, and with room the replay goes on",
    .enabled(if: TinyDisk.isAllowed, "this process may not mount a file system"))
  func fullDisk() throws {
    try append(0..<300)
    let disk = try TinyDisk(kibibytes: 100)
    let model = disk.path + "/model.sqlite"
    let replay = "replay \(log) --into \(model)"
    expectFailure(try Command.run(replay), 74, says: model, "the disk is full", "free some space")
    #expect(disk.resize(kibibytes: 2_000))
    expectDone(try Command.run(replay))
    let before = try Command.run("report rewards \(model)").output
    try append(300..<600)
    let size = try FileManager.default.attributesOfItem(atPath: model)[.size] as? Int ?? 0
    #expect(disk.resize(kibibytes: size / 1_024 + 40))
    #expect(try Command.run(replay).exitCode == 74)
    #expect(try Command.run("report rewards \(model)").output == before)
    #expect(disk.resize(kibibytes: 4_000))
    expectDone(try Command.run(replay))
    #expect(
      try Command.run("report rewards \(model)").output
        == Command.run("report rewards \(log)").output)
  }
}
