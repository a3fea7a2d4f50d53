internal import ArgumentParser
internal import DecidingCore
internal import Service
internal import Tables

struct KeysCreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a key, and print it.",
    usage: "bandolier keys create <name> --keys <file> [<options>]",
    discussion: """
      The file is created if it does not exist. The key is printed on standard output, once: keep it.

      Examples:

        bandolier keys create shop --keys serve.keys --scope client
        bandolier keys list --keys serve.keys
      """)

  @Argument(
    help: ArgumentHelp(
      "The name of the key, which appears in the request log.", valueName: "name"))
  var name: String

  @OptionGroup var file: KeyFileOptions

  @Option(
    name: .customLong("scope"),
    help: ArgumentHelp(
      "What the key permits; may be repeated: client (decisions and goals), ingest (events), read (reports and "
        + "metrics), admin (everything).", valueName: "scope"),
    completion: .list(KeyScope.allCases.map(\.rawValue)), transform: KeysCreateCommand.scope)
  var scopes: [KeyScope]

  private static func scope(_ text: String) throws -> KeyScope {
    guard let scope = KeyScope(rawValue: text) else {
      let names = KeyScope.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\"\(text)\" is not a scope; give one of: \(names)")
    }
    return scope
  }

  func run() throws {
    var random = SystemRandomNumberGenerator()
    let key = try KeyFile.create(
      name, Set(scopes), in: file.keys, at: SystemTime().now, random: &random)
    try StandardOutput().append(Array("\(key)\n".utf8))
  }
}
