import EventLog
import Platform

/// The steps of the main job on one generated log.
struct MainJob {
  let bandolier: String
  let folder: String
  let events: Int
  let seed: UInt64

  var log: String { folder + "/generated.log" }
  private var lines: String { folder + "/events.jsonl" }
  private var imported: String { folder + "/imported.log" }

  /// Generates the log.
  func makeLog() throws { _ = try ProcessRun(generate(log)) }

  /// Exports the log as JSON Lines, and imports these into another log.
  func prepare() throws {
    _ = try ProcessRun([bandolier, "export", log, "-o", lines])
    _ = try ProcessRun([bandolier, "import", lines, "--log", imported])
  }

  func steps() throws -> [Step] {
    let again = folder + "/again.log"
    return [
      step(
        "generate", generate(again),
        prepare: {
          WorkFolder.remove(again)
          WorkFolder.remove(again + ".truth.json")
        }),
      step(
        "import jsonl", [bandolier, "import", lines, "--log", again],
        prepare: { WorkFolder.remove(again) }),
      step("import jsonl again", [bandolier, "import", lines, "--log", imported]),
      step("command verify", [bandolier, "log", "verify", log]),
      step("command scan kinds (log info)", [bandolier, "log", "info", log]),
      step("report rewards", [bandolier, "report", "rewards", log]),
      step("export jsonl", [bandolier, "export", log]),
    ]
  }

  private func step(
    _ name: String, _ command: [String], prepare: @escaping () -> Void = {}
  ) -> Step {
    Step(name: name, events: events, prepare: prepare) {
      Measurement(try ProcessRun(command))
    }
  }

  private func generate(_ log: String) -> [String] {
    [
      bandolier, "generate", "storefront", "--events", String(events), "--seed", String(seed),
      "--log", log,
    ]
  }

  /// Returns the bytes per event of the generated log and of its JSON Lines.
  func bytesPerEvent() throws -> (log: Double, lines: Double) {
    let reader = try LogReader(log)
    var status = stat()
    // Safety: the path is a terminated copy for the call, and status outlives it.
    guard unsafe stat(lines, &status) == 0 else {
      throw ProcessRun.Failure(description: "\(lines) is gone")
    }
    return (
      Double(reader.byteCount) / Double(events), Double(status.st_size) / Double(events)
    )
  }
}

/// A temporary directory, which is removed at the end.
struct WorkFolder {
  let path: String

  init() throws {
    path = "/tmp/bandolier-bench-\(getpid())"
    // Safety: the path is a terminated copy for the call.
    guard unsafe mkdir(path, 0o700) == 0 else {
      throw ProcessRun.Failure(description: "cannot make \(path); remove it first")
    }
  }

  func remove() { Self.remove(path) }

  /// Removes a directory with its contents, if it exists.
  static func remove(_ path: String) {
    _ = try? ProcessRun(["/bin/rm", "-rf", path])
  }
}
