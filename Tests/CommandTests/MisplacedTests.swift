import Foundation
import TestSupport
import Testing

/// What the verbs say of segments in the wrong place, word by word: the same remedy from each of them.
@Suite("Files of a log in the wrong place")
struct MisplacedTests {
  private let folder: TemporaryFolder
  private let lines = Samples.decisions(0..<20)
  private var log: String { folder.path("log") }
  private let first = "seg-00000000000000000000.bdl"
  private let other = "seg-00000000000000000007.bdl"

  init() throws {
    folder = try TemporaryFolder()
    expectDone(try Command.run("append \(folder.path("log"))", input: lines.text))
    expectDone(try Command.run("append \(folder.path("other"))", input: lines[..<5].text))
  }

  private func move(_ from: String, to: String) throws {
    try? FileManager.default.removeItem(atPath: to)
    try FileManager.default.moveItem(atPath: from, toPath: to)
  }

  private func copy(_ from: String, to: String) throws {
    try? FileManager.default.removeItem(atPath: to)
    try FileManager.default.copyItem(atPath: from, toPath: to)
  }

  /// Whoever comes upon it says what is wrong and the same remedy, and no second one; exit 65.
  private func expectEverywhere(_ words: String..., also: [String] = []) throws {
    for verb in ["log cat", "log verify", "report rewards", "append", "log compact", "export"]
      + also
    {
      let result = try Command.run("\(verb) \(log)", input: verb == "append" ? lines[0] : "")
      #expect(result.exitCode == 65, "\(verb): \(result.messages)")
      #expect(result.text == "", "\(verb)")
      for word in words { #expect(result.messages.contains(word), "\(verb): \(result.messages)") }
      #expect(!result.messages.contains("repair the log"), "\(verb): \(result.messages)")
    }
  }

  @Test("another log's segment in place of the only one is refused, also by a repair")
  func foreign() throws {
    let mine = try Files.bytes("\(log)/\(first)")
    try copy("\(folder.path("other"))/\(first)", to: "\(log)/\(first)")
    try expectEverywhere(
      "the segment belongs to log", "but the log is", "restore the log's own file from a backup",
      "move those files away", also: ["log repair", "log repair --dry-run"])
    // Either advice leads to a whole log.
    try Data(mine).write(to: URL(fileURLWithPath: "\(log)/\(first)"))
    expectDone(try Command.run("log verify \(log)"))
    #expect(try Command.events(log) == lines)
    try copy("\(folder.path("other"))/\(first)", to: "\(log)/\(first)")
    for name in ["HEAD.0", "HEAD.1"] {
      try? FileManager.default.removeItem(atPath: "\(log)/\(name)")
    }
    expectDone(try Command.run("log verify \(log)"))
    #expect(try Command.events(log) == Array(lines[..<5]))
  }

  @Test("a segment that was renamed gets its name back from a repair")
  func renamed() throws {
    let mine = try Files.bytes("\(log)/\(first)")
    try move("\(log)/\(first)", to: "\(log)/\(other)")
    try expectEverywhere(
      other, "the file is the segment of position 0",
      "`bandolier log repair` restores its name, \(first)")
    let preview = try Command.run("log repair \(log) --dry-run")
    #expect(preview.messages.contains("would rename \(log)/\(other) to \(log)/\(first)"))
    let repair = try Command.run("log repair \(log)")
    expectDone(repair)
    #expect(repair.messages.contains("renamed \(log)/\(other) to \(log)/\(first)"))
    #expect(repair.messages.contains("gave up 0 events"))
    #expect(try Files.bytes("\(log)/\(first)") == mine)
    expectDone(try Command.run("log verify \(log)"))
    #expect(try Command.events(log) == lines)
  }

  @Test("a copy of a segment under another name is put aside; the good file is not touched")
  func double() throws {
    let mine = try Files.bytes("\(log)/\(first)")
    try copy("\(log)/\(first)", to: "\(log)/\(other)")
    try expectEverywhere(
      other, "the same segment as \(first), which is the one that counts",
      "`bandolier log repair` moves this file to the quarantine")
    expectDone(try Command.run("log repair \(log)"))
    #expect(try Files.bytes("\(log)/\(first)") == mine)
    #expect(try Files.bytes("\(log)/quarantine/\(other)-0-1") == mine)
    expectDone(try Command.run("log verify \(log)"))
    #expect(try Command.events(log) == lines)
  }

  @Test("a segment from before an erasure does not come back unless somebody says so")
  func beforeErasing() throws {
    let before = try Files.bytes("\(log)/\(first)")
    expectDone(try Command.run("log erase \(log) --unit u3"))
    let left = try Command.events(log)
    try Data(before).write(to: URL(fileURLWithPath: "\(log)/\(first)"))
    try expectEverywhere(
      "an earlier version of the segment, from before events of it were erased",
      "restore the right file from a backup",
      "`bandolier log repair --accept-earlier` accepts this one",
      also: ["log repair"])
    let skip = try Command.run("log cat \(log) --damaged skip")
    #expect(!skip.text.contains("\"u3\""))
    let repair = try Command.run("log repair \(log) --accept-earlier")
    expectDone(repair)
    expectDone(try Command.run("log verify \(log)"))
    #expect(try Command.events(log) == lines)
    expectDone(try Command.run("log erase \(log) --unit u3"))
    #expect(try Command.events(log) == left)
  }

  @Test("a link in the folder is refused by its name, also by erasing, which would miss its file")
  func link() throws {
    let store = folder.path("store.bdl")
    try move("\(log)/\(first)", to: store)
    try FileManager.default.createSymbolicLink(
      atPath: "\(log)/\(first)", withDestinationPath: store)
    let bytes = try Files.bytes(store)
    for verb in ["log erase --unit u3", "log erase --unit u3 --dry-run", "log repair", "log info"] {
      let result = try Command.run("\(verb) \(log)")
      #expect(result.exitCode == 65, "\(verb): \(result.messages)")
      for words in [
        "\(log)/\(first): it is a symbolic link, which a log's folder cannot have",
        "replace it by the file that it leads to, or remove it",
      ] { #expect(result.messages.contains(words), "\(verb): \(result.messages)") }
    }
    try expectEverywhere("\(log)/\(first)", "symbolic link")
    #expect(try Files.bytes(store) == bytes)
  }

  @Test("erasing names what it does not reach: hard links, databases, other files")
  func remains() throws {
    try FileManager.default.linkItem(
      atPath: "\(log)/\(first)", toPath: folder.path("store.bdl"))
    let database = folder.path("models.sqlite")
    expectDone(try Command.run("replay \(log) --into \(database)"))
    try Data("old".utf8).write(to: URL(fileURLWithPath: "\(log)/notes.txt"))
    let result = try Command.run("log erase \(log) --unit u3")
    expectDone(result)
    for words in [
      "backups, exports, reports and databases made from the log still contain",
      "\(log)/\(first) (it has other names too, under which it stays)",
      "\(database) (a database)", "\(log)/notes.txt (not a file of the log)",
    ] { #expect(result.messages.contains(words), "\(result.messages)") }
    #expect(!result.messages.contains("HEAD.0"))
  }
}
