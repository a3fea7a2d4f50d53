import Foundation
import Platform
import TestSupport
import Testing

@Suite("Files left by killed commands")
struct KilledOutputTests {
  private let folder: TemporaryFolder
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    log = folder.path("log")
  }

  @Test("the temporary file of a killed export is gone after the next, that of a living one is not")
  func temporaryFiles() throws {
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<20_000).text))
    let results = try TemporaryFolder()
    let path = results.path("events.jsonl")
    let start = { try stoppedExport(to: path, in: results) }
    for _ in 0..<3 {
      let command = try start()
      command.signal(SIGKILL)
      _ = try command.wait()
    }
    let abandoned = results.files.filter { $0.hasSuffix(".tmp") }
    #expect(abandoned.count == 1)
    let living = try start()
    expectDone(try Command.run("report rewards \(log) -o \(path) --force"))
    #expect(results.files.contains { $0.hasSuffix(".tmp") } && results.files.count == 2)
    living.signal(SIGCONT)
    expectDone(try living.finish())
    #expect(results.files == ["events.jsonl"])
  }

  /// Starts an export that is stopped while its temporary file is there. One that was faster is started again.
  private func stoppedExport(to path: String, in results: TemporaryFolder) throws -> RunningCommand {
    for _ in 0..<100 {
      let command = try Command.start(["export", log, "-o", path, "--force"])
      let hasFile = {
        results.files.contains { $0.hasPrefix(".events.jsonl.\(command.process).") }
      }
      try command.pump("makes its file") { hasFile() || $0.hasEnded }
      if !command.hasEnded { command.signal(SIGSTOP) }
      try command.pump("is stopped") { $0.isStopped || $0.hasEnded }
      if hasFile() { return command }
      if !command.hasEnded { command.signal(SIGCONT) }
      expectDone(try command.finish())
    }
    throw RunningCommand.TimedOut(description: "no export was stopped in time")
  }

  private static let rounds =
    LongTests.areWanted ? 300 : 12

  @Test("a report of a database whose replay was killed says what was true before, or after")
  func killedReplays() throws {
    var random = SeededGenerator(seed: 3)
    let model = folder.path("model.sqlite")
    var before: [UInt8]?
    var count = 0
    for round in 0..<Self.rounds {
      expectDone(
        try Command.run("append \(log)", input: Samples.decisions(count..<count + 300).text))
      count += 300
      let after = try Command.run("report rewards \(log) --format csv").output
      let replay = try Command.start(["replay", log, "--into", model])
      usleep(UInt32(random.index(80_000)))
      replay.signal(SIGKILL)
      _ = try replay.wait()
      let report = try Command.run("report rewards \(model) --format csv")
      if report.exitCode == 66 {
        #expect(before == nil, "round \(round): \(report.messages)")
      } else {
        expectDone(report)
        #expect(report.output == after || report.output == before, "round \(round)")
        if report.output == after { before = after }
      }
      guard random.chance(0.5) else { continue }
      expectDone(try Command.run("replay \(log) --into \(model)"))
      #expect(try Command.run("report rewards \(model) --format csv").output == after)
      #expect(folder.files.sorted() == ["log", "model.sqlite"])
      before = after
    }
  }

  @Test(
    "a replay onto a disk without room fails, and is done when there is room",
    .enabled(if: TinyDisk.isAllowed, "this process may not mount a file system"))
  func fullDisk() throws {
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<600).text))
    let old = try Command.run("report rewards \(log) --format csv").output
    let whole = folder.path("whole.sqlite")
    expectDone(try Command.run("replay \(log) --into \(whole)"))
    let size = try Files.bytes(whole).count / 1_024
    expectDone(try Command.run("append \(log)", input: Samples.decisions(600..<900).text))
    let new = try Command.run("report rewards \(log) --format csv").output
    var codes: Set<Int32> = []
    for room in stride(from: 0, to: size + 400, by: 48) {
      let disk = try TinyDisk(kibibytes: size + 64 + room)
      let model = disk.path + "/model.sqlite"
      try FileManager.default.copyItem(atPath: whole, toPath: model)
      let replay = try Command.run("replay \(log) --into \(model)")
      codes.insert(replay.exitCode)
      #expect([0, 74].contains(replay.exitCode), "\(room): \(replay.messages)")
      let report = try Command.run("report rewards \(model) --format csv")
      expectDone(report)
      #expect(report.output == new || report.output == old, "\(room)")
      if replay.exitCode == 0 { #expect(report.output == new, "\(room)") }
      #expect(disk.resize(kibibytes: 64_000))
      expectDone(try Command.run("replay \(log) --into \(model)"))
      #expect(try Command.run("report rewards \(model) --format csv").output == new)
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["model.sqlite"])
    }
    #expect(codes == [0, 74])
  }
}
