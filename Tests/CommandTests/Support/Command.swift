import Foundation
import Testing

/// How a run ended and what it printed.
struct CommandResult {
  /// The exit code; the negative number of the signal when one ended it.
  let exitCode: Int32
  let output: [UInt8]
  let errors: [UInt8]

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text.
  var messages: String { String(decoding: errors, as: UTF8.self) }
  /// The lines of standard output.
  var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// The command `bandolier`, as it was built with these tests, run as its user runs it.
enum Command {
  /// The command lies beside the bundle of the tests.
  static let path: String = {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
    return bundle.deletingLastPathComponent().appendingPathComponent("bandolier").path
  }()

  /// Starts the command and leaves its standard input open.
  static func start(
    _ arguments: [String], environment: [String: String] = [:], directory: String? = nil,
    output: RunningCommand.Output = .pipe
  ) throws -> RunningCommand {
    var variables = ProcessInfo.processInfo.environment
    // What the tests are run under must not change what they see.
    for name in ["COLUMNS", "LANG", "LC_ALL", "LC_CTYPE", "LINES", "NO_COLOR", "TERM"] {
      variables[name] = nil
    }
    return try RunningCommand(
      path, arguments, environment: variables.merging(environment) { $1 }, directory: directory,
      output: output)
  }

  /// Runs the command to its end.
  static func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
    directory: String? = nil, output: RunningCommand.Output = .pipe
  ) throws -> CommandResult {
    let command = try start(
      arguments, environment: environment, directory: directory, output: output)
    command.send(input)
    return try command.finish()
  }

  /// Runs the command to its end, given as one line of words.
  static func run(_ words: String, input: String = "") throws -> CommandResult {
    try run(words.split(separator: " ").map(String.init), input: Array(input.utf8))
  }

  /// The events of a log as JSON Lines, in order.
  static func events(_ log: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> [String]
  {
    let result = try run(["log", "cat", log])
    #expect(result.exitCode == 0, "\(result.messages)", sourceLocation: sourceLocation)
    return result.lines
  }
}

/// Expects that a run succeeded.
func expectDone(_ result: CommandResult, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(result.exitCode == 0, "\(result.messages)", sourceLocation: sourceLocation)
}

/// Expects that a run ended with an exit code, printed no data, and said all of this.
func expectFailure(
  _ result: CommandResult, _ exitCode: Int32, says parts: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let messages = result.messages
  #expect(result.exitCode == exitCode, "\(messages)", sourceLocation: sourceLocation)
  #expect(result.text == "", sourceLocation: sourceLocation)
  for part in parts {
    #expect(messages.contains(part), "no \"\(part)\"", sourceLocation: sourceLocation)
  }
}
