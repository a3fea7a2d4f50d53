import ArgumentParser

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Create, list and revoke keys for bandolier serve.",
    usage: "bandolier keys [<options>]",
    discussion: ServiceProgram.discussion)

  @Argument(parsing: .captureForPassthrough, help: ServiceProgram.help)
  var arguments: [String] = []

  func run() throws { try ServiceProgram.run(Self.self, arguments) }
}
