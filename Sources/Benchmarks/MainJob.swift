import EventLog
import Glibc

/// The steps of the main job on one generated log.
struct MainJob {
  /// A command that is measured, and what must be done before each run of it.
  struct Step {
    var name: String
    var command: [String]
    var prepare: () -> Void = {}
  }

  let bandolier: String
  let folder: String
  let events: Int
  let seed: UInt64

  private var log: String { folder + "/generated.log" }
  private var lines: String { folder + "/events.jsonl" }
  private var imported: String { folder + "/imported.log" }

  /// Makes the log and its JSON Lines.
  func prepare() throws {
    _ = try ProcessRun(generate(log))
    _ = try ProcessRun([bandolier, "export", log, "-o", lines])
    _ = try ProcessRun([bandolier, "import", lines, "--log", imported])
  }

  func steps() throws -> [Step] {
    let again = folder + "/again.log"
    return [
      Step(
        name: "generate", command: generate(again),
        prepare: {
          WorkFolder.remove(again)
          WorkFolder.remove(again + ".truth.json")
        }),
      Step(
        name: "import jsonl", command: [bandolier, "import", lines, "--log", again],
        prepare: { WorkFolder.remove(again) }),
      Step(name: "import jsonl again", command: [bandolier, "import", lines, "--log", imported]),
      Step(name: "verify", command: [bandolier, "log", "verify", log]),
      Step(name: "scan kinds (log info)", command: [bandolier, "log", "info", log]),
      Step(name: "report rewards", command: [bandolier, "report", "rewards", log]),
      Step(name: "export jsonl", command: [bandolier, "export", log]),
    ]
  }

  private func generate(_ log: String) -> [String] {
    [
      bandolier, "generate", "storefront", "--events", String(events), "--seed", String(seed),
      "--log", log,
    ]
  }

  /// Bytes of the generated log and of its JSON Lines, each divided by the number of events.
  func bytesPerEvent() throws -> (log: Double, lines: Double) {
    let reader = try LogReader(log)
    var status = stat()
    guard unsafe stat(lines, &status) == 0 else {
      throw ProcessRun.Failure(description: "\(lines) is gone")
    }
    return (
      Double(reader.byteCount) / Double(events), Double(status.st_size) / Double(events)
    )
  }
}

/// A folder for what is measured, which is removed at the end.
struct WorkFolder {
  let path: String

  init() throws {
    path = "/tmp/bandolier-bench-\(getpid())"
    guard unsafe mkdir(path, 0o700) == 0 else {
      throw ProcessRun.Failure(description: "cannot make \(path); remove it first")
    }
  }

  func remove() { Self.remove(path) }

  /// Removes a folder with everything in it, if it is there.
  static func remove(_ path: String) {
    _ = try? ProcessRun(["/bin/rm", "-rf", path])
  }
}
