import Foundation
import TestSupport
import Testing

@Suite("import of logs, of nothing, and with a seed")
struct ImportLogsTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("log") }

  init() throws { folder = try TemporaryFolder() }

  private func add(_ inputs: [String], to log: String) throws -> CommandResult {
    try Command.run(["import"] + inputs + ["--log", log])
  }

  /// The files of a folder, by name.
  private func files(_ folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try Files.bytes(folder + "/" + name)
    }
    return files
  }

  @Test("logs and files, in the order given, give what the files give that they were made from")
  func mixed() throws {
    let lines = Samples.decisions(0..<40) + Samples.decisions(40..<60, ids: true)
    let parts = [lines[..<25], lines[10..<30], lines[30..<50], lines[45...]]
    let names = try parts.enumerated().map { try folder.write($1.text, "\($0).jsonl") }
    let direct = try add([names[2], names[0], names[1], names[0], names[3]], to: folder.path("x"))
    expectDone(direct)
    for (index, inputs) in [[names[2]], [names[0], names[1]], [names[3]]].enumerated() {
      expectDone(try add(inputs, to: folder.path("part-\(index)")))
    }
    let result = try add(
      [folder.path("part-0"), folder.path("part-1"), names[0], folder.path("part-2")], to: log)
    expectDone(result)
    #expect(try Command.events(log) == Command.events(folder.path("x")))
    let again = try add([folder.path("part-1"), log], to: log)
    expectDone(again)
    #expect(again.messages.contains("appended 0 events"))
    for report in ["rewards", "health --format json", "compare", "regret"] {
      let words = report.split(separator: " ").map(String.init)
      let reports = try [log, folder.path("x")].map {
        try Command.run(["report", words[0], $0] + words[1...])
      }
      expectDone(reports[0])
      #expect(reports[0].output == reports[1].output, "\(report)")
    }
  }

  @Test("the shards of a log, imported again one by one, have the same events")
  func shards() throws {
    let lines = Samples.decisions(0..<30)
    expectDone(try add([try folder.write(lines.text, "a.jsonl")], to: log))
    expectDone(try Command.run("log split \(log) --into 3 -o \(folder.path("s"))"))
    let all = folder.path("all")
    // A folder of logs stands for these, in the order of their names.
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    for shard in 0..<3 {
      try FileManager.default.moveItem(
        atPath: folder.path("s-\(shard)"), toPath: folder.path("in/s-\(shard)"))
    }
    expectDone(try add([folder.path("in")], to: all))
    #expect(try Command.events(all).sorted() == lines.sorted())
  }

  @Test("two imports with the same seed give the same folder, byte for byte")
  func seed() throws {
    let file = try folder.write(Samples.decisions(0..<500).text, "a.jsonl")
    expectDone(try add([file], to: folder.path("part")))
    let other = try folder.write(Gzip.member(Array(Samples.decisions(400..<600).text.utf8)), "b.gz")
    for name in ["x", "y"] {
      expectDone(
        try add([folder.path("part"), other, "--seed", "7"], to: folder.path(name)))
    }
    let (x, y) = (try files(folder.path("x")), try files(folder.path("y")))
    #expect(x == y)
    #expect(x["IMPORTS"] == nil)
    #expect(x["LOCK"] == [])
    expectDone(try add([folder.path("part"), other, "--seed", "8"], to: folder.path("z")))
    #expect(try files(folder.path("z")) != x)
    #expect(try Command.events(folder.path("z")) == Samples.decisions(0..<600))
  }

  @Test("a damaged log is refused, and so is one that is not finished")
  func refused() throws {
    let part = folder.path("part")
    let file = try folder.write(Samples.decisions(0..<50).text, "a.jsonl")
    expectDone(try add([file], to: part))
    _ = try folder.write("", "part/UNFINISHED")
    expectFailure(try add([part], to: log), 65, says: "\(part): the log is incomplete")
    try FileManager.default.removeItem(atPath: part + "/UNFINISHED")
    try Files.change(part + "/seg-00000000000000000000.bdl") { $0[400] ^= 1 }
    expectFailure(try add([part], to: log), 65, says: part)
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test(
    "an empty input makes an empty log, whatever its format",
    arguments: ["plain", "gzip", "blank", "input", "format", "map", "log"])
  func empty(kind: String) throws {
    let words: [String]
    switch kind {
    case "plain": words = [try folder.write("", "a.jsonl")]
    case "gzip": words = [try folder.write(Gzip.member([]), "a.jsonl.gz")]
    case "blank": words = [try folder.write("\n \n", "a.jsonl")]
    case "format": words = [try folder.write("", "a.csv"), "--format", "csv"]
    case "map":
      let mapping = ["time=t", "unit=u", "variant=v"].flatMap { ["--map", $0] }
      words = [try folder.write("", "a.csv")] + mapping
    case "log":
      expectDone(try add([try folder.write("", "a.jsonl")], to: folder.path("none")))
      words = [folder.path("none")]
    default: words = ["-"]
    }
    let result = try add(words, to: log)
    expectDone(result)
    #expect(result.messages.contains("read 0 records, appended 0 events"))
    #expect(try Command.events(log).isEmpty)
    #expect(try Command.run("log info \(log)").exitCode == 0)
  }

  @Test(
    "every report reads an empty log",
    arguments: [
      "rewards", "compare", "conversions", "quantiles", "funnel --steps a,b", "regret", "health",
      "series",
      "visits",
      "retention", "predictions", "adaptive",
    ])
  func reports(report: String) throws {
    expectDone(try add([try folder.write("", "a.jsonl")], to: log))
    let words = report.split(separator: " ").map(String.init)
    let result = try Command.run(["report", words[0], log, "--format", "csv"] + words[1...])
    expectDone(result)
    #expect(result.lines.count <= 20)
  }
}
