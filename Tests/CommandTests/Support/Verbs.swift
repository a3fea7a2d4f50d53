import Foundation

/// The verbs of the command and their options, as its parser describes them.
enum Verbs {
  /// An option of a verb.
  struct Option: Hashable {
    /// As it is written, with its dashes.
    var name: String
    var valueName: String
    /// Whether shells complete its value.
    var isCompleted = false
  }

  /// A verb that does something, as its words, its options, and the names of all options and flags.
  typealias Leaf = (words: [String], options: [Option], names: [String])

  /// Verbs that do something, each as its words.
  static let leaves = described.map(\.words)

  /// All of them, those that only group others and the command itself too.
  static let all = (root?.all() ?? []).filter { !handedOver.contains($0) }

  /// Verbs that do something, with their options.
  static let described = (root?.leaves() ?? []).filter { !handedOver.contains($0.words) }

  /// The verbs that `bandolier-serve` runs, a program of another build; their tests are in Tests/Serve.
  static let handedOver = [["serve"], ["keys"]]

  private static let root: Description? = {
    guard let dump = try? Command.run("--experimental-dump-help") else { return nil }
    return try? JSONDecoder().decode(Dump.self, from: Data(dump.output)).command
  }()

  private struct Dump: Decodable {
    var command: Description
  }

  private struct Description: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }

      var kind: String
      var valueName: String?
      var names: [Name]?
      /// Whether it is in the help.
      var shouldDisplay: Bool
      var completionKind: Completion?

      /// Whatever it is.
      struct Completion: Decodable {}

      var option: Option? {
        guard kind == "option", let name = names?.last(where: { $0.kind == "long" }) else {
          return nil
        }
        return Option(
          name: "--\(name.name)", valueName: valueName ?? "", isCompleted: completionKind != nil)
      }
    }

    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Description]?

    /// The verbs below this one; the parser lists `help` among them.
    private var verbs: [Description] { (subcommands ?? []).filter { $0.commandName != "help" } }

    func all(_ words: [String] = []) -> [[String]] {
      [words] + verbs.flatMap { $0.all(words + [$0.commandName]) }
    }

    func leaves(_ words: [String] = []) -> [Leaf] {
      guard !verbs.isEmpty else {
        let arguments = (arguments ?? []).filter(\.shouldDisplay)
        let names = arguments.flatMap { ($0.names ?? []).map(\.name) }
        return [(words, arguments.compactMap(\.option), names)]
      }
      return verbs.flatMap { $0.leaves(words + [$0.commandName]) }
    }
  }
}
