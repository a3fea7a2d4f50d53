internal import ArgumentParser

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Create, list and revoke keys for bandolier serve.",
    usage: "bandolier keys <subcommand>",
    discussion: """
      A file of keys has their names, scopes and SHA-256, and only its owner can read it; a key itself is shown once, \
      when it is created. A service reads the file again when it has changed.
      """,
    subcommands: [KeysCreateCommand.self, KeysListCommand.self, KeysRevokeCommand.self])
}

/// The option that names a file of keys.
struct KeyFileOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The file of keys.", valueName: "file"), completion: .file())
  var keys: String
}
