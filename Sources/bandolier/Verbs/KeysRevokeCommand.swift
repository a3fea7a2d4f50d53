import ArgumentParser
import Service

struct KeysRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Revoke a key: a running service refuses it from now on.")

  @OptionGroup var file: KeyFileOptions

  @Option(help: ArgumentHelp("The name of the key.", valueName: "name"))
  var name: String

  func run() throws {
    try KeyFile.revoke(name, in: file.keys)
    Message.print("revoked the key \"\(name)\" of \(file.keys)")
  }
}

extension KeysRevokeCommand: WorkedExamples {
  static let examples = [
    "bandolier keys create --keys serve.keys --name shop --scope client",
    "bandolier keys revoke --keys serve.keys --name shop",
  ]
}
