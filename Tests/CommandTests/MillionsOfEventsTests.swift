import Foundation
import Glibc
import TestSupport
import Testing

/// What takes minutes: `make test-long` runs it, with the command as it was built for release.
@Suite("Millions of events", .enabled(if: LongTests.areWanted, "make test-long runs it"))
struct MillionsOfEventsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs the command to its end, however long that takes.
  private func run(_ arguments: String...) throws {
    let process = Process()
    let path = Command.path
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(arguments)")
  }

  /// The most memory that any process started by these tests has held, in MiB.
  private var peakMebibytes: Int {
    var usage = rusage()
    // Safety: getrusage fills the value and keeps no pointer.
    guard unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage) == 0 else { return .max }
    return usage.ru_maxrss / 1_024
  }

  @Test("5 million events are imported, imported again and reported within 400 MB")
  func memory() throws {
    let made = folder.path("made.log")
    let lines = folder.path("events.jsonl")
    let log = folder.path("imported.log")
    try run("generate", "storefront", "--events", "5000000", "--seed", "11", "--log", made)
    try run("export", made, "-o", lines)
    try run("import", lines, "--log", log)
    try run("import", lines, "--log", log)
    try run("log", "verify", log)
    for (name, path) in [("made.csv", made), ("imported.csv", log)] {
      try run("report", "rewards", path, "--format", "csv", "-o", folder.path(name))
    }
    let reports = ["made.csv", "imported.csv"].map {
      FileManager.default.contents(atPath: folder.path($0))
    }
    #expect(reports[0] != nil && reports[0] == reports[1])
    #expect((10..<381).contains(peakMebibytes), "400 MB are 381 MiB")
  }
}
