import Foundation
import TestSupport
import Testing

@Suite(
  "The Open Bandit logs as published, from import to report",
  .enabled(
    if: OpenBanditFiles.areThere,
    "there are no Open Bandit logs at \(OpenBanditFiles.folder); name their folder with BANDOLIER_DATASETS"
  ))
struct OpenBanditDataTests {
  struct Row: Equatable {
    var decisions = 0
    var clicks = 0
  }

  /// What a script of ten lines makes of the CSV: decisions and clicks by (position, item).
  static func count(_ path: String) throws -> [[String]: Row] {
    let unzip = try RunningCommand(
      "/usr/bin/env", ["gzip", "-dc", path], environment: ProcessInfo.processInfo.environment,
      directory: nil)
    let lines = try unzip.finish().lines
    let header = lines[0].components(separatedBy: ",")
    let columns = try ["position", "item_id", "click"].map {
      try #require(header.firstIndex(of: $0))
    }
    var rows: [[String]: Row] = [:]
    for line in lines.dropFirst() {
      let fields = line.components(separatedBy: ",")
      let key = [fields[columns[0]], fields[columns[1]]]
      rows[key, default: Row()].decisions += 1
      rows[key, default: Row()].clicks += fields[columns[2]] == "1" ? 1 : 0
    }
    return rows
  }

  @Test(
    "every slot and variant has the counts, sums and means that a naive script computes",
    arguments: [("random", 46), ("bts", 69)])
  func rewards(policy: String, clicks: Int) throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    expectDone(try Command.run(["import", OpenBanditFiles.path(policy), "--log", log]))
    let report = try Command.run("report rewards \(log) --format csv")
    expectDone(report)

    let expected = try Self.count(OpenBanditFiles.path(policy))
    let header = report.lines[0].components(separatedBy: ",")
    var found: [[String]: Row] = [:]
    for line in report.lines.dropFirst() {
      let cells = Dictionary(uniqueKeysWithValues: zip(header, line.components(separatedBy: ",")))
      let key = [cells["slot"] ?? "", cells["variant"] ?? ""]
      let decisions = try #require(cells["decisions"].flatMap { Int($0) })
      let rewards = try #require(cells["rewards"].flatMap { Int($0) })
      #expect(found.updateValue(Row(decisions: decisions, clicks: rewards), forKey: key) == nil)
      #expect(cells["experiment"] == "men")
      #expect(cells["reward_sum"].flatMap { Double($0) } == Double(rewards))
      #expect(
        cells["reward_mean"].flatMap { Double($0) } == Double(rewards) / Double(decisions))
    }
    #expect(found == expected)
    #expect(found.values.reduce(0) { $0 + $1.decisions } == 10_000)
    #expect(found.values.reduce(0) { $0 + $1.clicks } == clicks)
    #expect(try Command.run("report rewards \(log) --format csv").output == report.output)
    try comesBack(log, report, in: folder)
  }

  /// The log, exported and imported again, gives the same report and the same export.
  private func comesBack(
    _ log: String, _ report: CommandResult, in folder: TemporaryFolder
  ) throws {
    let exported = folder.path("events.jsonl")
    expectDone(try Command.run("export \(log) --format jsonl -o \(exported)"))
    let copy = folder.path("copy")
    expectDone(try Command.run("import \(exported) --log \(copy)"))
    #expect(try Command.run("report rewards \(copy) --format csv").output == report.output)
    let again = folder.path("again.jsonl")
    expectDone(try Command.run("export \(copy) --format jsonl -o \(again)"))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: again))
        == Data(contentsOf: URL(fileURLWithPath: exported)))
  }

  @Test("another import of the same file gives the same bytes, and the file again adds nothing")
  func repeated() throws {
    let folder = try TemporaryFolder()
    var reports: [[UInt8]] = []
    for name in ["a", "b"] {
      expectDone(
        try Command.run(["import", OpenBanditFiles.path("random"), "--log", folder.path(name)]))
      reports.append(
        try Command.run("report rewards \(folder.path(name)) --format csv").output)
    }
    #expect(reports[0] == reports[1] && !reports[0].isEmpty)
    let again = try Command.run([
      "import", OpenBanditFiles.path("random"), "--log", folder.path("a"),
    ])
    #expect(again.messages.contains("appended 0 events, duplicates 10046"))
    #expect(
      try Command.run("report rewards \(folder.path("a")) --format csv").output == reports[0])
  }
}
