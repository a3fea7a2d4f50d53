import ArgumentParser

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Decide for clients over HTTP; the only state is the log.",
    usage: "bandolier serve [<options>]",
    discussion: ServiceProgram.discussion)

  @Argument(parsing: .captureForPassthrough, help: ServiceProgram.help)
  var arguments: [String] = []

  func run() throws { try ServiceProgram.run(Self.self, arguments) }
}
