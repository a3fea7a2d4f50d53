internal import ArgumentParser
internal import Platform
internal import Specifications

/// The command `bandolier-serve`, which `bandolier serve` and `bandolier keys` run.
@main
struct BandolierServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bandolier-serve",
    abstract: "The decision service of Bandolier, and its keys.",
    discussion: """
      `bandolier serve` and `bandolier keys` run this program with their arguments. Without a verb it serves.
      """,
    subcommands: [ServeCommand.self, KeysCommand.self],
    defaultSubcommand: ServeCommand.self)

  static func main() {
    SystemLimits.fillStandardDescriptors()
    // Writing to a closed pipe, or beyond the limit of a file's size, is an ordinary error.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard let error = error as? any ExitCoded else { exit(withError: error) }
      if error.exitCode != .brokenPipe { Message.print("error: \(error)") }
      Platform.exit(error.exitCode.rawValue)
    }
  }
}
