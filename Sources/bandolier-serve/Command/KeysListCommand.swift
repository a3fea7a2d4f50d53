internal import ArgumentParser
internal import Events
internal import Service
internal import Tables

struct KeysListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the keys of a file: their names, scopes and times.",
    usage: "bandolier keys list --keys <file>",
    discussion: """
      One line of JSON per key, in the order in which they were created.

      Examples:

        bandolier keys create shop --keys serve.keys --scope client
        bandolier keys list --keys serve.keys
      """)

  @OptionGroup var file: KeyFileOptions

  func run() throws {
    var lines: [UInt8] = []
    for key in try KeyFile(file.keys).keys {
      var time: [UInt8] = []
      key.created.write(to: &time)
      let json: JSONValue = [
        "name": .string(key.name), "scopes": .array(key.scopeNames.map { .string($0) }),
        "created": .string(String(decoding: time, as: UTF8.self)),
      ]
      lines += "\(json)\n".utf8
    }
    try StandardOutput().append(lines)
  }
}
