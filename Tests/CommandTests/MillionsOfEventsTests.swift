import Foundation
import Platform
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
  ///
  /// - Returns: The most memory that it has held, in MiB, up to the last hundredth of a second. The usage that the
  ///   system reports for a process that has ended counts that of the process which started it.
  private func run(_ arguments: String...) throws -> Int {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Command.path)
    process.arguments = arguments
    try process.run()
    var peak = 0
    while process.isRunning {
      peak = Self.peakMebibytes(of: process.processIdentifier) ?? peak
      usleep(10_000)
    }
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(arguments)")
    return peak
  }

  /// The peak of a running process's memory, in MiB; nil if it has ended.
  private static func peakMebibytes(of process: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap({
        Int($0)
      })
    else { return nil }
    return kibibytes / 1_024
  }

  @Test("5 million events are imported, imported again and reported within 400 MB")
  func memory() throws {
    let made = folder.path("made.log")
    let lines = folder.path("events.jsonl")
    let log = folder.path("imported.log")
    var peaks = [
      try run("generate", "storefront", "--events", "5000000", "--seed", "11", "--log", made),
      try run("export", made, "-o", lines),
      try run("import", lines, "--log", log),
      try run("import", lines, "--log", log),
      try run("log", "verify", log),
    ]
    for (name, path) in [("made.csv", made), ("imported.csv", log)] {
      peaks.append(
        try run("report", "rewards", path, "--format", "csv", "-o", folder.path(name)))
    }
    let reports = ["made.csv", "imported.csv"].map {
      FileManager.default.contents(atPath: folder.path($0))
    }
    #expect(reports[0] != nil && reports[0] == reports[1])
    #expect(peaks.allSatisfy { (10..<381).contains($0) }, "400 MB are 381 MiB: \(peaks)")
  }

  @Test("every report of 5 million events is made within 1 GB and 30 seconds of processor time")
  func reportAll() throws {
    let log = folder.path("made.log")
    _ = try run("generate", "storefront", "--events", "5000000", "--seed", "1", "--log", log)
    let before = Self.childSeconds
    let peak = try run("report", "all", log, "-o", folder.path("report"), "--jobs", "2")
    let seconds = Self.childSeconds - before
    #expect((10..<954).contains(peak), "1 GB are 953 MiB: \(peak)")
    // Time of processors, since others may use them too.
    #expect(seconds < 30, "\(seconds)")
  }

  /// The time of processors that ended children of this process have taken, in seconds.
  private static var childSeconds: Double {
    var usage = rusage()
    // Safety: the value outlives the call.
    guard unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }
}
