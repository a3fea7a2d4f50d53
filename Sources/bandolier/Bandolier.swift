import ArgumentParser
import Platform
import Reports
import Specifications

/// The command `bandolier`.
@main
struct Bandolier: ParsableCommand {
  static let version = "0.1.0"
  /// The day of the version, which its manual pages bear.
  static let released = "2026-11-23"

  /// The reports that there are.
  @TaskLocal static var reports = ReportCatalog.standard

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "bandolier",
      abstract: "Event-sourced analytics and bandit simulation over exported event logs.",
      discussion: """
        An import puts decisions, goals, conversions and data points into an append-only compressed log; \
        a report replays it. The deciding systems use a log too, and restore their state from it. Data goes \
        to standard output, messages to standard error.

        \(ExitCode.sentence)
        """,
      version: version,
      subcommands: [
        ImportCommand.self, AppendCommand.self, LogCommand.self, ExportCommand.self,
        GenerateCommand.self, DecideCommand.self, GoalCommand.self, ConvertCommand.self,
        DataCommand.self, ExpireCommand.self, PredictCommand.self, ReplayCommand.self,
        ReportCommand.self,
      ] + reports.all.filter { $0.isVerbOfItsOwn }.map { $0.verb } + [
        LearnCommand.self, SimulateCommand.self,
        MetricsCommand.self, ServeCommand.self, KeysCommand.self, ListingVerb<PolicyListing>.self,
        ListingVerb<EnvironmentListing>.self, ListingVerb<EstimatorListing>.self,
        ListingVerb<PredictorListing>.self, ExplainCommand.self, ListingVerb<FormatListing>.self,
        ManualCommand.self,
      ])
  }

  static func main() async {
    SystemLimits.fillStandardDescriptors()
    // With SIGPIPE ignored, writing to a closed pipe is an ordinary error instead of the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // The same for the file size limit (ulimit -f).
    signal(SIGXFSZ, SIG_IGN)
    SystemLimits.raiseOpenFiles()
    do {
      let words = joiningNegatives(CommandLine.arguments.dropFirst())
      if let message = try VerbPath(words).repeatedOption(words) {
        throw Failure(exitCode: Failure.usage, message)
      }
      var command = try parseAsRoot(words)
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch {
      end(with: error)
    }
  }

  /// Returns words with `--minimum -5` as `--minimum=-5`: the parser takes any word with a dash for an option.
  private static func joiningNegatives(_ words: ArraySlice<String>) -> [String] {
    words.reduce(into: []) { joined, word in
      if let option = joined.last, option.hasPrefix("--"), option != "--", !option.contains("="),
        !joined.contains("--"), word.prefixMatch(of: /-\.?[0-9]/) != nil
      {
        joined[joined.count - 1] += "=\(word)"
      } else {
        joined.append(word)
      }
    }
  }

  /// Prints the error, and exits with its exit code.
  private static func end(with error: any Error) -> Never {
    // The states that verbs read from files are those of partials.
    if error is StateError {
      end(with: Failure(exitCode: Failure.badData, "a partial is damaged: \(error)"))
    }
    guard let error = error as? any ExitCoded else { endParsing(with: error) }
    // Nobody reads what follows a closed pipe.
    if error.exitCode != .brokenPipe { Message.print("error: \(error)") }
    Platform.exit(error.exitCode.rawValue)
  }

  /// Returns the parser's message, with the usage of the verb if that found the error when it ran already.
  private static func message(_ error: any Error, _ arguments: [String]) -> String {
    guard let error = error as? ValidationError else { return fullMessage(for: error) }
    let path = VerbPath(arguments)
    let name = (["bandolier"] + path.words).joined(separator: " ")
    return "Error: \(error.message)\nUsage: "
      + usageString(for: path.verb).replacing("\n", with: "\n       ") + "\n"
      + "  See '\(name) --help' for more information."
  }

  /// Exits as the parser would, with quoted arguments escaped. Help is the parser's text on standard output,
  /// followed by the verb's examples.
  private static func endParsing(with error: any Error) -> Never {
    let code = exitCode(for: error)
    let arguments = Array(CommandLine.arguments.dropFirst())
    let text = Message.quoting(arguments, in: message(error, arguments))
    if code.isSuccess {
      let isHelp = text.hasPrefix("OVERVIEW:")
      // The parser answers `help` for an unknown verb with the help of the verb above it.
      if isHelp, let message = VerbPath(arguments).message {
        end(with: Failure(exitCode: Failure.usage, message))
      }
      let examples = isHelp ? HelpExamples.text(for: arguments) : ""
      guard !examples.isEmpty else { exit(withError: error) }
      print(text, terminator: text.hasSuffix("\n") ? "" : "\n")
      print(examples, terminator: "")
      Platform.exit(code.rawValue)
    }
    if !text.isEmpty {
      let advised = Suggestion.adding(to: text, for: arguments)
      Message.print(parserText: Message.quoting(arguments, in: advised))
    }
    Platform.exit(code.rawValue)
  }
}
