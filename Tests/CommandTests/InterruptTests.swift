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
    let stored = try Command.events(log)
    let told = stored.isEmpty ? "nothing was stored" : "everything before it is stored"
    #expect(result.messages.contains("interrupted; \(told)"))
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

  @Test("a simulation names the command that resumes it, or how to save its runs", arguments: [true, false])
  func simulation(isSaved: Bool) throws {
    let plan = ["simulate", "-e", "bernoulli:means=0.1;0.5", "-p", "ucb1", "--horizon", "200000", "--runs", "400"]
    let file = folder.path("runs.jsonl")
    let words = plan + (isSaved ? ["--checkpoint", file] : []) + ["--progress", "always"]
    let command = try Command.start(words)
    try command.pump("shows its progress") { !$0.errors.isEmpty }
    command.signal(SIGINT)
    let result = try command.finish()
    let given = "bandolier simulate -e 'bernoulli:means=0.1;0.5' -p ucb1 --horizon 200000 --runs 400 "
    if isSaved {
      expectFailure(
        result, 130, says: "interrupted after ", " of 400 runs, which are saved in \(file)",
        "resume with: \(given)--checkpoint \(file)")
      let lines = String(decoding: try Files.bytes(file), as: UTF8.self).split(separator: "\n").count
      let made = result.messages.firstMatch(of: /interrupted after (\d+) of/).flatMap { Int($0.output.1) }
      #expect(made == lines - 1)
    } else {
      expectFailure(
        result, 130, says: " of 400 runs, which are lost; ", "--progress always --checkpoint runs.jsonl")
    }
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
