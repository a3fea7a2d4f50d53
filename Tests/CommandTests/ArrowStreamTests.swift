import Foundation
import TestSupport
import Testing

@Suite("Arrow streams and Parquet, from the command line")
struct ArrowStreamTests {
  private let folder: TemporaryFolder
  private static let storefront =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path + "/datasets/storefront.log"

  init() throws { folder = try TemporaryFolder() }

  private func export(_ options: [String] = [], to name: String = "events.arrows") throws -> String {
    let path = folder.path(name)
    let arguments = ["export", Self.storefront, "--format", "arrow", "-o", path] + options
    expectDone(try Command.run(arguments))
    return path
  }

  @Test("export and import give the same events, and importing twice adds nothing")
  func roundTrip() throws {
    let stream = try export()
    let log = folder.path("log")
    let first = try Command.run(["import", stream, "--log", log])
    expectDone(first)
    #expect(first.messages.contains("arrow (the columns \"type\", \"time\", \"unit\")"))
    #expect(try Command.events(log) == Command.events(Self.storefront))
    let again = try Command.run(["import", stream, "--log", log])
    #expect(again.messages.contains("appended 0 events, duplicates 50000"))
    #expect(
      try Command.run(["import", "-", "--log", folder.path("piped")], input: read(stream)).messages
        .contains("appended 50000 events"))
  }

  private func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("--kind writes events of some kinds, and is refused elsewhere and for unknown kinds")
  func kinds() throws {
    let stream = try export(["--kind", "goal,conversion"])
    let result = try Command.run(["import", stream, "--dry-run"])
    let wanted = try Command.events(Self.storefront).filter {
      $0.hasPrefix(#"{"type":"goal""#) || $0.hasPrefix(#"{"type":"conversion""#)
    }
    #expect(result.lines == Array(wanted.prefix(10)))
    #expect(result.messages.contains("read \(wanted.count) records"))
    let other = try Command.run(["export", Self.storefront, "--kind", "goal"])
    #expect(other.exitCode == 64 && other.messages.contains("--kind is for --format arrow"))
    let unknown = try Command.run(
      ["export", Self.storefront, "--format", "arrow", "--kind", "decisions"])
    #expect(unknown.exitCode == 64 && unknown.messages.contains("decision"))
  }

  @Test("a stream that is cut off ends with 65 and keeps what came before")
  func cut() throws {
    let bytes = try read(export())
    let path = try folder.write(Array(bytes.dropLast(100)), "cut.arrows")
    let result = try Command.run(["import", path, "--log", folder.path("log")])
    #expect(result.exitCode == 65)
    #expect(result.messages.contains("is cut off after"))
  }

  // MARK: Parquet with a python3 of the tests

  /// Imports a Parquet file with a program `python3`; nil for none at all.
  private func importParquet(
    _ python: String?, _ environment: [String: String] = [:]
  ) throws -> CommandResult {
    let programs = folder.path("bin")
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
    if let python {
      let path = try folder.write("#!/bin/sh\n\(python)\n", "bin/python3")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    let file = try folder.write("PAR1 and so on", "x.parquet")
    return try Command.run(
      ["import", file, "--log", folder.path("log")],
      environment: ["PATH": programs].merging(environment) { $1 })
  }

  @Test("a python3 without a library is passed over, and BANDOLIER_PYTHON is the one to use")
  func otherPrograms() throws {
    let stream = try export()
    try FileManager.default.createDirectory(
      atPath: folder.path("own"), withIntermediateDirectories: true)
    let own = try folder.write("#!/bin/sh\nexec /bin/cat \(stream)\n", "own/python3")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: own)
    expectDone(
      try importParquet("exit 3", ["PATH": "\(folder.path("bin")):\(folder.path("own"))"]))
    #expect(try Command.events(folder.path("log")) == Command.events(Self.storefront))
    expectDone(try importParquet("exit 1", ["BANDOLIER_PYTHON": own]))
    let none = try importParquet("exec /bin/cat \(stream)", ["BANDOLIER_PYTHON": "/none"])
    #expect(none.exitCode != 0 && none.messages.contains("BANDOLIER_PYTHON names /none, which cannot be started"))
  }

  @Test("Parquet is the Arrow stream that python3 writes")
  func parquet() throws {
    let stream = try export()
    let result = try importParquet("exec /bin/cat \(stream)")
    expectDone(result)
    #expect(try Command.events(folder.path("log")) == Command.events(Self.storefront))
  }

  @Test(
    "without a library or without python3, the error says what to type", arguments: [true, false])
  func missing(hasPython: Bool) throws {
    let result = try importParquet(hasPython ? "exit 3" : nil)
    #expect(result.exitCode == 74 || result.exitCode == 66, "\(result.messages)")
    #expect(result.messages.contains("python3 -m pip install pyarrow"))
    #expect(result.messages.contains("duckdb -c"))
  }

  @Test("what python3 writes to its standard error is passed on, and nothing is imported")
  func failing() throws {
    let result = try importParquet("echo 'ArrowInvalid: no footer' >&2; exit 1")
    #expect(result.exitCode == 65)
    #expect(
      result.messages.contains("python3 cannot read the Parquet file: ArrowInvalid: no footer"))
    // What fails behind the schema is no empty table.
    let head = try folder.write(Array(try read(try export()).prefix(400)), "head.arrows")
    let later = try importParquet("/bin/cat \(head); echo 'OSError: corrupt data' >&2; exit 1")
    #expect(later.exitCode == 65 && later.messages.contains("OSError: corrupt data"), "\(later.messages)")
    let pipe = try Command.run(
      ["import", "-", "--log", folder.path("log")], input: Array("PAR1".utf8))
    #expect(pipe.exitCode == 64 && pipe.messages.contains("cannot be read from a pipe"))
  }

  // MARK: Other readers, in the Python of `make report-tools`

  private static let python =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    + "/.build/report-venv/bin/python"
  private static let areThere: Bool = {
    guard FileManager.default.isExecutableFile(atPath: python) else { return false }
    let check = try? RunningCommand(
      python, ["-c", "import pyarrow, polars, duckdb, pandas"],
      environment: ProcessInfo.processInfo.environment, patience: 120
    ).finish()
    return check?.exitCode == 0
  }()
  private static let skipped: Comment =
    "skipped without pyarrow, Polars, DuckDB and pandas, which make report-tools installs"

  private func run(_ script: String, _ arguments: [String]) throws {
    let path =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
      + "/Samples/Arrow/\(script)"
    var environment = ProcessInfo.processInfo.environment
    environment["BANDOLIER"] = Command.path
    let result = try RunningCommand(
      Self.python, [path] + arguments, environment: environment, patience: 300
    ).finish()
    #expect(
      result.exitCode == 0, "\(result.text.suffix(4_000))\n\(result.messages.suffix(4_000))")
  }

  @Test(
    "pyarrow, pandas, Polars and DuckDB read every value of every kind of event",
    .enabled(if: areThere, skipped))
  func readers() throws {
    let lines = folder.path("events.jsonl")
    expectDone(try Command.run(["export", Self.storefront, "-o", lines]))
    try run("check_export.py", [export(), lines])
    let log = folder.path("everything")
    expectDone(try Command.run("append \(log)", input: Self.everyKind))
    let (stream, all) = (folder.path("all.arrows"), folder.path("all.jsonl"))
    expectDone(try Command.run(["export", log, "--format", "arrow", "-o", stream]))
    expectDone(try Command.run(["export", log, "-o", all]))
    try run("check_export.py", [stream, all])
  }

  /// Events of every kind, with every field, and what only the column json shows.
  private static let everyKind = #"""
    {"type":"decision","id":"e1","time":"2026-01-02T03:04:05.678901Z","unit":"é","system":"agents","instance":"i","experiment":"checkout","point":"cart","slot":"color","variant":"red","choices":["red","blue"],"propensity":0.5,"probabilities":[0.5,0.5],"policy":"thompson","reason":"random","status":"confirmed","context":{"country":"US","age":33,"new":true},"features":{"red":{"price":3.5},"blue":{}}}
    {"type":"decision","time":"1969-12-31T23:59:59.999999Z","unit":"u","experiment":"checkout","variant":"","choices":[],"context":{"age":"thirty","big":9007199254740993}}
    {"type":"decision","time":"2026-01-02T03:04:06Z","unit":"u","experiment":"checkout","variant":"red","x":[1,{"y":null}]}
    {"type":"goal","time":"2026-01-02T03:05:00Z","unit":"s-42","experiment":"checkout","goal":"purchase","value":3.99,"status":"refused","reason":"late","metadata":{"plan":"pro"}}
    {"type":"conversion","time":"2026-01-02T03:06:00Z","unit":"u-7","goal":"83023","revenue":10,"negative":false,"metadata":{"plan":"pro"}}
    {"type":"dataPoint","time":"2026-01-02T03:06:01Z","unit":"u-7","kind":"custom","key":"1","value":"gold"}
    {"type":"dataPoint","time":"2026-01-02T03:06:01Z","unit":"u-7","kind":"custom","key":"2","value":2.5}
    {"type":"dataPoint","time":"2026-01-02T03:06:01Z","unit":"u-7","kind":"custom","key":"3","value":false}
    {"type":"sessionExpired","time":"2026-01-02T03:06:02Z","unit":"u-7","experiment":"checkout","reason":"requested"}
    {"type":"assignmentRemoved","time":"2026-01-02T03:06:02Z","unit":"u-7","experiment":"checkout"}
    {"type":"decisionConfirmed","time":"2026-01-02T03:06:02Z","unit":"u-7","experiment":"checkout","point":"cart"}
    {"type":"configurationApplied","time":"2026-01-02T03:06:03Z","unit":"","system":"agents","experiment":"checkout","reason":"edit","changed":["a","b"],"configuration":{"a":[1,2]}}

    """#

  @Test(
    "tables of pyarrow, pandas, Polars and DuckDB are imported, and Parquet goes both ways",
    .enabled(if: areThere, skipped))
  func writers() throws { try run("check_import.py", [folder.path("work"), export()]) }

  @Test(
    "a column of any type is the value that pyarrow has in each use, or is refused by its name",
    .enabled(if: areThere, skipped))
  func types() throws { try run("check_types.py", [folder.path("types")]) }
}
