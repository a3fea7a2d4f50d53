internal import ArgumentParser
internal import Service

struct KeysRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke a key: a running service refuses it from now on.",
    usage: "bandolier keys revoke <name> --keys <file>",
    discussion: """
      Examples:

        bandolier keys create shop --keys serve.keys --scope client
        bandolier keys revoke shop --keys serve.keys
      """)

  @Argument(help: ArgumentHelp("The name of the key.", valueName: "name"))
  var name: String

  @OptionGroup var file: KeyFileOptions

  func run() throws {
    try KeyFile.revoke(name, in: file.keys)
    Message.print("revoked the key \"\(name)\" of \(file.keys)")
  }
}
