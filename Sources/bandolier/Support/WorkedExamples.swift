import ArgumentParser

/// A verb whose help ends with worked examples.
///
/// The commands run on `datasets/` from the root of the repository, or from any folder that contains it, in
/// the given order; the tests run them. A line has at most 62 columns: a longer command continues on the next
/// line after a backslash.
protocol WorkedExamples: ParsableCommand {
  /// The commands, each with its continuation lines.
  static var examples: [String] { get }
}

/// The examples printed below the help of a verb.
enum HelpExamples {
  /// Returns the examples of the verb that the arguments name.
  ///
  /// - Parameter arguments: The arguments of the process without its own name, such as `report rewards
  ///   --help` or `help report rewards`.
  /// - Returns: The text below the help; empty for a verb without examples.
  static func text(for arguments: [String]) -> String {
    guard let verb = VerbPath(arguments).verb as? any WorkedExamples.Type else { return "" }
    let lines = verb.examples.flatMap { $0.split(separator: "\n") }
    return (["", "EXAMPLES:"] + lines.map { "  \($0)" }).joined(separator: "\n") + "\n"
  }
}
