/// The rules and variables of a Makefile.
struct Makefile {
  struct Rule: Equatable {
    var prerequisites: [String]
    /// Whether `make help` lists it: its line ends with `## ` and a description.
    var isListed: Bool
  }

  private(set) var rules: [String: Rule] = [:]
  private(set) var variables: [String: [String]] = [:]
  /// The targets that `.PHONY` names.
  private(set) var phony: Set<String> = []

  init(_ text: String) {
    for line in text.replacing("\\\n", with: " ").split(separator: "\n") {
      if let match = line.wholeMatch(of: /\.PHONY:(.*)/) {
        phony.formUnion(Self.words(match.output.1))
      } else if let match = line.wholeMatch(of: /([A-Z_]+) :=(.*)/) {
        variables[String(match.output.1)] = Self.words(match.output.2)
      } else if let match = line.wholeMatch(of: /([a-z-]+):([^#=]*)(#.*)?/) {
        rules[String(match.output.1)] = Rule(
          prerequisites: Self.words(match.output.2),
          isListed: match.output.3?.hasPrefix("## ") ?? false)
      }
    }
  }

  private static func words(_ text: Substring) -> [String] {
    text.split(separator: " ").map(String.init)
  }
}
