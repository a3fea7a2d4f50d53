import Foundation

/// The verbs of the command, as its own help lists them.
enum Verbs {
  /// Verbs that do something, each as its words.
  static let leaves = verbs(below: []).filter { !$0.isGroup }.map(\.words)

  /// All of them, those that only group others and the command itself too.
  static let all = verbs(below: []).map(\.words)

  private static func verbs(below words: [String]) -> [(words: [String], isGroup: Bool)] {
    guard let help = try? Command.run(words + ["--help"]) else { return [] }
    let listed = help.text.components(separatedBy: "SUBCOMMANDS:").dropFirst().joined()
    let names = listed.matches(of: /\n[ ]{2}([a-z]+)[ ]/).map { String($0.output.1) }
    return [(words, !names.isEmpty)] + names.flatMap { verbs(below: words + [$0]) }
  }
}
