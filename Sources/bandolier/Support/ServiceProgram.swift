import ArgumentParser
import Platform

/// The program `bandolier-serve`, which runs the verbs of the service.
enum ServiceProgram {
  private static let name = "bandolier-serve"

  /// The help of the arguments that are handed over.
  static let help = ArgumentHelp("The arguments of \(name).", valueName: "options")

  /// The discussion of a verb that the program runs.
  static let discussion = """
    Runs \(name), a program of its own that `make serve` builds, and that is looked for beside this command and on the \
    PATH. With --help it lists its options.
    """

  /// Replaces this process by the program; without one, shows the help of the verb if it is asked for.
  ///
  /// - Throws: ``Failure`` if there is no such program.
  static func run(_ verb: (some ParsableCommand).Type, _ arguments: [String]) throws {
    let given = [verb.configuration.commandName ?? ""] + arguments
    if let beside = programFolder().map({ "\($0)/\(name)" }), isExecutable(beside) {
      replaceProcess(by: beside, given)
    }
    replaceProcess(by: name, given)
    if arguments.contains("--help") || arguments.contains("-h") {
      throw CleanExit.helpRequest(verb)
    }
    throw Failure(
      exitCode: Failure.inputMissing,
      "\(name) is neither beside this command nor on the PATH; build it with `make serve` in the source of "
        + "Bandolier, and install it with `make install`")
  }
}
