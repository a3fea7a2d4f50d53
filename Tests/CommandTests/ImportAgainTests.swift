import Foundation
import TestSupport
import Testing

@Suite("import of a file that was imported before")
struct ImportAgainTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }
  private var notes: String { log + "/IMPORTS" }

  init() throws { folder = try TemporaryFolder() }

  private func add(_ inputs: String...) throws -> CommandResult {
    try Command.run(["import"] + inputs + ["--log", log])
  }

  private func count(_ result: CommandResult) -> Substring? {
    result.messages.split(separator: "\n").last { $0.contains("read ") }
  }

  @Test("it is only compared, and counted as if it were read")
  func unchanged() throws {
    let path = try folder.write("\n" + Samples.decisions(0..<30).text, "a.jsonl")
    expectDone(try add(path))
    let again = try add(path)
    expectDone(again)
    #expect(again.messages.contains("\(path): imported before, and unchanged since\n"))
    try FileManager.default.removeItem(atPath: notes)
    let compared = try add(path)
    expectDone(compared)
    #expect(!compared.messages.contains("imported before"))
    #expect(count(again) == count(compared))
    #expect(
      count(again)
        == "bandolier: read 30 records, appended 0 events, duplicates 30, rejected 0, blank lines 1"
    )
    #expect(try Command.events(log) == Samples.decisions(0..<30))
  }

  @Test("a file that has grown or changed is read, and of several files those that are new")
  func changed() throws {
    let path = try folder.write(Samples.decisions(0..<3).text, "a.jsonl")
    expectDone(try add(path))
    let longer = try folder.write(Samples.decisions(0..<5).text, "a.jsonl")
    let grown = try add(longer)
    expectDone(grown)
    #expect(grown.messages.contains("appended 2 events, duplicates 3"))
    let other = try folder.write(Samples.decisions(5..<7).text, "b.jsonl")
    let both = try add(path, other)
    expectDone(both)
    #expect(both.messages.contains("\(path): imported before"))
    #expect(!both.messages.contains("\(other): imported before"))
    #expect(both.messages.contains("appended 2 events, duplicates 5"))
    #expect(try Command.events(log) == Samples.decisions(0..<7))
  }

  /// Lines with and without ids, some of which occur several times.
  private func lines(_ random: inout SeededGenerator, hasIDs: Bool) -> [String] {
    (0..<random.index(12)).map { _ in
      let unit = random.index(4)
      let id = hasIDs || random.chance(0.3) ? "\"id\":\"i\(random.index(30))\"," : ""
      return random.chance(0.1)
        ? ""
        : "{\"type\":\"dataPoint\",\(id)\"time\":\(random.index(3)),\"unit\":\"u\(unit)\",\"kind\":\"k\"}"
    }
  }

  @Test(
    "a file that grew is read from where it grew, and gives what reading all of it gives",
    .enabled(if: SlowTests.areWanted, "make test SLOW=1 runs it"), arguments: UInt64(0)..<12)
  func grown(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (path, other) = (folder.path("a.jsonl"), folder.path("b.jsonl"))
    let (plain, hasIDs) = (folder.path("plain"), random.chance(0.4))
    var (text, continued) = ("", 0)
    for step in 0..<8 {
      text += lines(&random, hasIDs: hasIDs).map { $0 + "\n" }.joined()
      // A line may be written in two parts, and a file between that has the same events.
      let cut = random.chance(0.2) ? text.dropLast(5) : text[...]
      _ = try folder.write(String(cut), "a.jsonl")
      if random.chance(0.15) {
        _ = try folder.write(lines(&random, hasIDs: hasIDs).map { $0 + "\n" }.joined(), "b.jsonl")
        for log in [log, plain] { _ = try Command.run(["import", other, "--log", log, "--on-error", "skip"]) }
      }
      let result = try Command.run(["import", path, "--log", log, "--on-error", "skip"])
      try? FileManager.default.removeItem(atPath: plain + "/IMPORTS")
      let naive = try Command.run(["import", path, "--log", plain, "--on-error", "skip"])
      let messages = result.messages.split(separator: "\n").filter { !$0.contains("imported before") }
      #expect(messages == naive.messages.split(separator: "\n"), "seed \(seed), step \(step)")
      continued += result.messages.contains("read from there on") ? 1 : 0
      guard FileManager.default.fileExists(atPath: log) else { continue }
      #expect(try Command.events(log) == Command.events(plain), "seed \(seed), step \(step)")
    }
    if hasIDs { #expect(continued > 0, "seed \(seed)") }
  }

  @Test("a file of events without ids is read from where it grew, unless the log has others too")
  func grownWithoutIDs() throws {
    let path = try folder.write(Samples.decisions(0..<3).text, "a.jsonl")
    expectDone(try add(path))
    for end in [5, 9] {
      _ = try folder.write(Samples.decisions(0..<end).text, "a.jsonl")
      let grown = try add(path)
      expectDone(grown)
      #expect(grown.messages.contains("imported before up to line \(end == 5 ? 3 : 5), and read from there on"))
      #expect(try Command.events(log) == Samples.decisions(0..<end))
    }
    expectDone(try add(folder.write(Samples.decisions(20..<21).text, "b.jsonl")))
    _ = try folder.write(Samples.decisions(0..<11).text, "a.jsonl")
    let mixed = try add(path)
    expectDone(mixed)
    #expect(!mixed.messages.contains("imported before") && mixed.messages.contains("appended 2 events, duplicates 9"))
  }

  @Test("erased events are imported again, and so is everything under another experiment")
  func otherLog() throws {
    let lines = Samples.decisions(0..<3)
    let path = try folder.write(lines.text, "a.jsonl")
    expectDone(try add(path))
    let table = try folder.write("ts,user,group\n1767607200,u-1,A\n", "t.csv")
    let map = ["--map", "time=ts", "--map", "unit=user", "--map", "variant=group"]
    for experiment in ["e", "f"] {
      let result = try Command.run(
        ["import", table, "--log", log, "--experiment", experiment] + map)
      expectDone(result)
      #expect(result.messages.contains("appended 1 events"), "\(experiment)")
    }
    expectDone(try Command.run(["log", "erase", log, "--unit", "u1"]))
    let again = try add(path)
    expectDone(again)
    #expect(again.messages.contains("appended 1 events, duplicates 2"))
  }

  @Test("a file with rejected records, and notes that are damaged, are read again")
  func rejected() throws {
    let path = try folder.write(Samples.decisions(0..<3).text + "no event\n", "a.jsonl")
    for duplicates in [0, 3] {
      let result = try add(path, "--on-error", "skip")
      expectDone(result)
      #expect(result.messages.contains("duplicates \(duplicates), rejected 1"))
    }
    let whole = try folder.write(Samples.decisions(0..<3).text, "b.jsonl")
    expectDone(try add(whole))
    try Data("{".utf8).write(to: URL(fileURLWithPath: notes))
    let result = try add(whole)
    expectDone(result)
    #expect(!result.messages.contains("imported before"))
    #expect(try Command.events(log) == Samples.decisions(0..<3))
  }
}
