import Foundation

/// A program of this machine that a test runs the command with, such as a shell or a formatter.
enum Program {
  /// Where it is; nil if this machine has none.
  static func path(_ name: String) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether this machine has it.
  static func isInstalled(_ name: String) -> Bool { path(name) != nil }

  /// Runs it to its end, with nothing else than these variables and the usual path.
  static func run(
    _ name: String, _ arguments: [String], environment: [String: String] = [:],
    directory: String? = nil
  ) throws -> CommandResult {
    let usual = ["PATH": "/usr/bin:/bin", "HOME": NSTemporaryDirectory(), "TERM": "dumb"]
    let program = try RunningCommand(
      path(name) ?? name, arguments, environment: usual.merging(environment) { $1 },
      directory: directory)
    return try program.finish()
  }
}
