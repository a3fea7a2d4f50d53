import Foundation
import Platform
import TestSupport
import Testing

@Suite("report all")
struct ReportAllTests {
  private let folder: TemporaryFolder
  private var log: String { folder.path("shop.log") }
  private var report: String { folder.path("report") }

  init() throws { folder = try TemporaryFolder() }

  private func fill(_ count: Int = 60) throws {
    let goals = (0..<count).filter { $0 % 3 == 0 }.map {
      #"{"type":"goal","time":"\#(Timestamps.text(seconds: $0 + 1))","unit":"u\#($0)","#
        + #""experiment":"checkout","goal":"buy","value":2}"#
    }
    expectDone(
      try Command.run("append \(log)", input: (Samples.decisions(0..<count) + goals).text))
  }

  /// The files below a folder, by their paths in it.
  private func contents(_ path: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      // A folder has no contents.
      found[name] = try? Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
    }
    return found
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(report)/\(name)", encoding: .utf8)
  }

  @Test(
    "writes a page, Markdown, a notebook, tables, a database and a manifest, and says which to open"
  )
  func files() throws {
    try fill()
    let result = try Command.run("report all \(log) -o \(report)")
    expectDone(result)
    #expect(result.output.isEmpty && result.messages.contains("open report.html"))
    let names = Set(try contents(report).keys)
    #expect(
      names.isSuperset(of: [
        "README.md", "manifest.json", "datapackage.json", "report.html", "report.md",
        "report.ipynb", "results.json", "results.sqlite", "rewards.csv", "compare.csv",
        "health.csv", "series.csv",
      ]))
    #expect(
      try text("rewards.csv") == Command.run("report rewards \(log) --format csv").text)
    #expect(folder.files.sorted() == ["report", "shop.log"])
  }

  @Test(
    "writes the same bytes again, except for the times in the manifest, on any number of threads")
  func same() throws {
    try fill()
    for (jobs, path) in [(1, report), (3, folder.path("other"))] {
      expectDone(try Command.run("report all \(log) -o \(path) --jobs \(jobs)"))
    }
    var (first, second) = (try contents(report), try contents(folder.path("other")))
    let manifests = [first, second].compactMap { $0["manifest.json"] }
    #expect(manifests.count == 2 && manifests[0] != manifests[1])
    (first["manifest.json"], second["manifest.json"]) = (nil, nil)
    #expect(first == second)
  }

  @Test("the manifest has the digest of the log and of every file")
  func digests() throws {
    try fill()
    expectDone(try Command.run("report all \(log) -o \(report) --experiment checkout"))
    let json = try JSONSerialization.jsonObject(with: Data(text("manifest.json").utf8))
    let manifest = try #require(json as? [String: Any])
    let segment = "seg-00000000000000000000.bdl"
    let size = try Data(contentsOf: URL(fileURLWithPath: "\(log)/\(segment)")).count
    // The documented digest, with the tools of a shell.
    let script =
      "{ printf '%s\\n%s\\n' \(segment) \(size); cat \(log)/\(segment); } | sha256sum; "
      + "cd \(report) && sha256sum rewards.csv results.sqlite"
    let sums = try RunningCommand("/bin/sh", ["-c", script], environment: [:], directory: nil)
      .finish().lines
      .map { String($0.prefix(64)) }
    #expect((manifest["log"] as? [String: Any])?["sha256"] as? String == sums[0])
    let files = try #require(manifest["files"] as? [[String: Any]])
    let digest = { (name: String) in
      files.first { $0["path"] as? String == name }?["sha256"] as? String
    }
    #expect(digest("rewards.csv") == sums[1] && digest("results.sqlite") == sums[2])
    #expect(
      Set(files.compactMap { $0["path"] as? String })
        == Set(try contents(report).keys).subtracting(["manifest.json"]))
    #expect((manifest["settings"] as? [String: String])?["experiment"] == "checkout")
  }

  @Test("replaces only its own folder, and only by force")
  func force() throws {
    try fill()
    expectDone(try Command.run("report all \(log) -o \(report)"))
    expectFailure(
      try Command.run("report all \(log) -o \(report)"), 73, says: "exists", "--force")
    expectDone(try Command.run("report all \(log) -o \(report) --force"))
    try "mine".write(toFile: "\(report)/notes.txt", atomically: true, encoding: .utf8)
    expectFailure(
      try Command.run("report all \(log) -o \(report) --force"), 73, says: "notes.txt",
      "was not written by")
    let other = folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try "x".write(toFile: "\(other)/x", atomically: true, encoding: .utf8)
    expectFailure(
      try Command.run("report all \(log) -o \(other) --force"), 73, says: "no manifest.json")
    #expect(try text("notes.txt") == "mine" && folder.files.count == 3)
  }

  @Test("an empty log gives a folder that says that there is nothing")
  func empty() throws {
    expectDone(try Command.run("append \(log)"))
    expectDone(try Command.run("report all \(log) -o \(report)"))
    for file in ["README.md", "report.md", "report.html", "report.ipynb", "results.json"] {
      #expect(try text(file).contains("The log has no events"), "\(file)")
    }
  }

  @Test("a damaged log is refused, or its losses are what the reports begin with")
  func damaged() throws {
    let segment = URL(fileURLWithPath: "\(log)/seg-00000000000000000000.bdl")
    var ends: [Int] = []
    for part in [0..<10, 10..<20, 20..<30] {
      expectDone(try Command.run("append \(log)", input: Samples.decisions(part).text))
      ends.append(try Data(contentsOf: segment).count)
    }
    // A byte in the header of the second frame.
    var bytes = Array(try Data(contentsOf: segment))
    bytes[ends[0] + 20] ^= 1
    try Data(bytes).write(to: segment)
    expectFailure(
      try Command.run("report all \(log) -o \(report)"), 65, says: "--damaged skip")
    #expect(folder.files == ["shop.log"])
    expectDone(try Command.run("report all \(log) -o \(report) --damaged skip"))
    #expect(try text("report.md").contains("\n- The log is damaged: "))
    #expect(try text("manifest.json").contains(#""events_lost": 10"#))
  }

  @Test("refuses what it cannot use, and says what to do")
  func refusals() throws {
    try fill()
    expectFailure(try Command.run("report all \(log)"), 64, says: "--output")
    expectFailure(try Command.run("report all \(log) -o -"), 64, says: "name of a folder")
    expectFailure(
      try Command.run("report all \(log) -o \(report) --by day"), 64, says: "--by is not")
    expectFailure(
      try Command.run("report all \(log) -o \(report) --metric revenu"), 64, says: "revenue")
    expectFailure(
      try Command.run("report all \(log) -o \(report) --baseline gren"), 65, says: "gren")
    expectFailure(
      try Command.run("report all \(log) -o \(report) --experiment chekout"), 65,
      says: "checkout")
    expectFailure(
      try Command.run("report all \(folder.path("none")) -o \(report)"), 66, says: "none")
    expectFailure(try Command.run("report all \(log) -o \(log)/report"), 64, says: "of the log")
    expectFailure(
      try Command.run("report all \(log) -o \(folder.path("no/such"))"), 73, says: "mkdir -p")
    let model = folder.path("model.sqlite")
    expectDone(try Command.run("replay \(log) --into \(model)"))
    expectFailure(
      try Command.run("report all \(model) -o \(report)"), 64, says: "is a database",
      "give the log")
    #expect(folder.files.sorted() == ["model.sqlite", "shop.log"])
  }

  @Test("texts that a spreadsheet takes for formulas are prefixed only if asked for")
  func spreadsheets() throws {
    let line =
      #"{"type":"decision","time":"2026-01-01T00:00:00Z","unit":"u","experiment":"e","variant":"=1+1"}"#
    expectDone(try Command.run("append \(log)", input: line + "\n"))
    expectDone(try Command.run("report all \(log) -o \(report)"))
    #expect(try text("rewards.csv").contains(",=1+1,"))
    expectDone(try Command.run("report all \(log) -o \(report) --force --spreadsheet-safe"))
    #expect(try text("rewards.csv").contains(",'=1+1,"))
  }

  @Test("an interrupted run leaves nothing, a killed one nothing after the next")
  func interrupted() throws {
    expectDone(try Command.run("generate storefront --events 300000 --seed 1 --log \(log)"))
    let before = Set(folder.files)
    let results = try TemporaryFolder()
    let path = results.path("report")
    for (signal, code) in [(SIGINT, 130 as Int32), (SIGTERM, 130), (SIGKILL, -SIGKILL)] {
      let command = try Command.start(["report", "all", log, "-o", path])
      try command.pump("makes its folder") { _ in !results.files.isEmpty }
      command.signal(signal)
      #expect(try command.wait().exitCode == code)
      #expect(!results.files.contains("report"))
      if signal != SIGKILL { #expect(results.files == []) }
    }
    #expect(results.files.count == 1)
    expectDone(try Command.run("report all \(log) -o \(path) --experiment pricing"))
    #expect(results.files == ["report"])
    #expect(Set(folder.files) == before)
  }
}
