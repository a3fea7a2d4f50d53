import Foundation
import Platform
import TestSupport
import Testing

@Suite("Ctrl-C")
struct InterruptTests {
  private let folder: TemporaryFolder
  private let lines = Samples.decisions(0..<6_000)
  private var log: String { folder.path("log") }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Expects the log to hold a first part of the lines, and an import to bring the rest.
  private func expectPartAndMend(_ result: CommandResult) throws {
    #expect(result.exitCode == 130, "\(result.messages)")
    #expect(result.text == "")
    #expect(result.messages.contains("interrupted; everything before it is stored"))
    let stored = try Command.events(log)
    #expect(result.messages.contains("appended \(stored.count) events"))
    #expect(stored == Array(lines.prefix(stored.count)))
    let path = try folder.write(lines.text, "all.jsonl")
    let mended = try Command.run("import \(path) --log \(log)")
    expectDone(mended)
    #expect(mended.messages.contains("duplicates \(stored.count),"))
    #expect(try Command.events(log) == lines)
  }

  @Test(
    "an import at work keeps what it read, and importing again brings the rest",
    arguments: [SIGINT, SIGTERM])
  func working(number: Int32) throws {
    let command = try Command.start(["import", "-", "--log", log])
    command.send(lines.text)
    try command.waitUntilTaken(allBut: lines.text.utf8.count / 2)
    command.signal(number)
    try expectPartAndMend(try command.finish())
  }

  @Test("an import that waits for a pipe ends too, though nothing comes")
  func waiting() throws {
    let command = try Command.start(["import", "-", "--log", log])
    command.send(lines[..<100].text)
    try command.waitUntilRead()
    // Time to store the few lines; when it has not passed yet the interrupt comes at work.
    usleep(200_000)
    command.signal(SIGINT)
    try expectPartAndMend(try command.wait())
  }

  @Test("an import that waits for the first bytes ends and makes no log")
  func waitingForTheFirst() throws {
    let command = try Command.start(["import", "-", "--log", log])
    usleep(100_000)
    command.signal(SIGINT)
    let result = try command.wait()
    #expect([130, -SIGINT].contains(result.exitCode))
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  /// A small log may be exported before the interrupt comes, so a larger one follows.
  @Test("an export to a file leaves neither the file nor a part of it")
  func export() throws {
    for count in [50_000, 500_000, 5_000_000] {
      let log = folder.path("\(count).log")
      expectDone(try Command.run("generate storefront --events \(count) --seed 1 --log \(log)"))
      let output = try TemporaryFolder()
      let command = try Command.start(["export", log, "-o", output.path("events.jsonl")])
      try command.pump("opens its output") { _ in !output.files.isEmpty }
      command.signal(SIGINT)
      let result = try command.finish()
      if result.exitCode == 0 { continue }
      expectFailure(result, 130, says: "interrupted")
      #expect(output.files == [])
      return
    }
    Issue.record("every export ended before the interrupt")
  }
}
