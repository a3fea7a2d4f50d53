import ArgumentParser

struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Create, list and revoke keys for bandolier serve.",
    discussion: """
      A file of keys has their names, scopes and SHA-256, and only its owner can read it; a key itself is shown once, \
      when it is created. A service reads the file again when it has changed.
      """,
    subcommands: [KeysCreateCommand.self, KeysListCommand.self, KeysRevokeCommand.self])
}
