import Foundation
import Platform
import TestSupport
import Testing

@Suite("A disk without room")
struct FullDiskTests {
  private static let prlimit = "/usr/bin/prlimit"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    "an import says where it ended; what was stored is there, and importing again completes it",
    .enabled(if: TinyDisk.isAllowed, "this process may not mount a file system"))
  func importing() throws {
    // A frame is full at 16 MiB of text, which is 64 of these events; the frame behind it does not fit.
    let lines = Samples.heavyDecisions(90, seed: 3, words: 80, repetitions: 256)
    let first = try folder.write(lines[..<4].text, "first.jsonl")
    let all = try folder.write(lines.text, "all.jsonl")
    // Two pages of it are for HEAD.
    let disk = try TinyDisk(kibibytes: 156)
    let log = disk.path + "/log"
    expectDone(try Command.run("import \(first) --log \(log)"))

    let result = try Command.run("import \(all) --log \(log)")
    expectFailure(
      result, 74, says: "\(log)/seg-00000000000000000000.bdl: cannot write",
      "No space left on device", "free some space", "are stored, those after it are not")
    let stored = try Command.events(log)
    #expect(stored.count > 4 && stored.count < lines.count)
    #expect(stored == Array(lines.prefix(stored.count)))
    let said = result.messages.firstMatch(of: /the events before (\d+) are stored/)
    #expect(said.flatMap { Int($0.1) }.map { $0 >= 4 && $0 <= stored.count } == true)

    #expect(disk.resize(kibibytes: 8_000))
    expectDone(try Command.run("import \(all) --log \(log)"))
    #expect(try Command.events(log) == lines)
    expectDone(try Command.run("log verify \(log)"))
  }

  @Test(
    "a log that cannot even be begun ends with 74 or 73, and later it can",
    .enabled(if: TinyDisk.isAllowed, "this process may not mount a file system"))
  func beginning() throws {
    let lines = Samples.decisions(0..<10)
    let input = try folder.write(lines.text, "a.jsonl")
    let disk = try TinyDisk(kibibytes: 16)
    let filler = disk.path + "/filler"
    try Data(count: 12_288).write(to: URL(fileURLWithPath: filler))
    let log = disk.path + "/log"
    let result = try Command.run("import \(input) --log \(log)")
    expectFailure(result, 74, says: log, "No space left on device", "free some space")
    try FileManager.default.removeItem(atPath: filler)
    expectDone(try Command.run("import \(input) --log \(log)"))
    #expect(try Command.events(log) == lines)
  }

  @Test(
    "a limit on the size of files (ulimit -f) is an error like a full disk, and no crash",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: prlimit), "prlimit (util-linux) is not here")
  )
  func fileSizeLimit() throws {
    let lines = Samples.heavyDecisions(3_000, seed: 4)
    let log = folder.path("log")
    let command = try RunningCommand(
      Self.prlimit, ["--fsize=30000", Command.path, "import", "-", "--log", log],
      environment: ProcessInfo.processInfo.environment, directory: nil)
    command.send(lines.text)
    expectFailure(
      try command.finish(), 74, says: "\(log)/seg-", "File too large", "ulimit -f",
      "the events before 0 are stored")
    #expect(try Command.events(log) == [])
    expectDone(try Command.run(["import", "-", "--log", log], input: Array(lines.text.utf8)))
    #expect(try Command.events(log) == lines)
  }

  @Test(
    "an export to a full disk leaves neither the file nor a part of it",
    .enabled(if: TinyDisk.isAllowed, "this process may not mount a file system"))
  func exporting() throws {
    let log = folder.path("log")
    expectDone(try Command.run("append \(log)", input: Samples.decisions(0..<2_000).text))
    let disk = try TinyDisk(kibibytes: 64)
    let output = disk.path + "/events.jsonl"
    expectFailure(
      try Command.run("export \(log) -o \(output)"), 74, says: output, "no space left", "make room")
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
  }
}
