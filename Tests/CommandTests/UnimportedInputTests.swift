import Foundation
import TestSupport
import Testing

@Suite("Reports of files that are no logs")
struct UnimportedInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs the commands after the last colon of a message in the folder.
  private func follow(_ message: String) throws -> CommandResult {
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path("bin/bandolier"), withDestinationPath: Command.path)
    let commands = message.components(separatedBy: "name that: ").last ?? ""
    return try RunningCommand(
      "/bin/sh", ["-ec", commands],
      environment: ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "HOME": folder.path],
      directory: folder.path
    ).finish()
  }

  @Test("a file of a known format gets the import that makes a log of it", arguments: ["a.jsonl", "my file.jsonl.gz"])
  func known(name: String) throws {
    let text = Array(Samples.decisions(0..<4).text.utf8)
    let path = try folder.write(name.hasSuffix(".gz") ? Gzip.member(text) : text, name)
    for verb in ["report rewards", "report compare", "log info"] {
      let result = try Command.run(verb.split(separator: " ").map(String.init) + [path])
      expectFailure(result, 65, says: "is in the format jsonl and not a log; make a log of it")
      guard verb == "log info" else { continue }
      expectDone(try follow(result.messages))
      let log = folder.path(String(name.prefix { $0 != "." }) + ".log")
      expectDone(try Command.run(["report", "rewards", log]))
    }
  }

  @Test("a table gets a mapping first")
  func table() throws {
    let path = try folder.write("ts,user,group,converted\n2026-01-05,u1,A,1\n2026-01-05,u2,B,0\n", "t.csv")
    let result = try Command.run(["report", "compare", path])
    expectFailure(result, 65, says: "is a table and not a log", "bandolier import --suggest \(path) > t.yaml && ")
    expectDone(try follow(result.messages))
    expectDone(try Command.run(["report", "rewards", folder.path("t.log")]))
    let other = try folder.write("height,width\n1,2\n", "o.csv")
    expectFailure(
      try Command.run(["report", "compare", other]), 65, says: "without a column that looks like the ")
  }

  @Test("a folder of files gets the import of the folder, and what cannot be imported no advice to")
  func others() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("exports"), withIntermediateDirectories: false)
    _ = try folder.write(Samples.decisions(0..<4).text, "exports/a.jsonl")
    let path = folder.path("exports")
    expectFailure(
      try Command.run(["log", "cat", path]), 65, says: "bandolier import \(path) --log exports.log")
    let photo = try folder.write([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 2, 3], "photo.jpg")
    let result = try Command.run(["log", "cat", photo])
    expectFailure(result, 65, says: "name the folder of a log")
    #expect(!result.messages.contains("bandolier import"))
  }
}
