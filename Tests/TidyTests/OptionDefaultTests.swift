import Testing

/// The help of an option says what it is without it. The parser adds the default of most options, but not of those whose
/// values are parsed by a function.
@Suite("Defaults of options")
struct OptionDefaultTests {
  /// The options of a source with a parsing function and a default, whose help does not say it.
  private static func silent(_ source: String) -> [String] {
    source.components(after: "@Option(").compactMap { block -> String? in
      guard let declaration = block.firstMatch(of: /\n  var `?(\w+)`?([^\n]*)/) else { return nil }
      let help = block[..<declaration.range.lowerBound]
      let value = declaration.output.2.split(separator: "=", maxSplits: 1).dropFirst().first
      guard help.contains("transform:"), let value, value != " []" else { return nil }
      return help.contains("(default") ? nil : String(declaration.output.1)
    }
  }

  @Test("the help of every option with a default says it")
  func options() throws {
    var count = 0
    let sources = try ["Sources/bandolier", "Sources/bandolier-serve"].flatMap(SourceFile.all(in:))
    for source in sources {
      let text = source.lines.joined(separator: "\n")
      count += text.components(after: "@Option(").count
      for name in Self.silent(text) {
        Issue.record("\(source.path): the help of \(name) does not say (default: ...)")
      }
    }
    #expect(count > 100)
  }

  @Test("an option without a default, or with one that the parser adds, is not asked for it")
  func samples() {
    #expect(Self.silent("  @Option(help: \"Bins.\", transform: f)\n  var bins = 10\n") == ["bins"])
    for told in [
      "  @Option(help: \"Bins (default: 10).\", transform: f)\n  var bins = 10\n",
      "  @Option(help: \"Bins.\", transform: f)\n  var bins: Int?\n",
      "  @Option(help: \"Bins.\", transform: f)\n  var bins: [Int] = []\n",
      "  @Option(help: \"Bins.\")\n  var bins = 10\n",
    ] {
      #expect(Self.silent(told) == [], "\(told)")
    }
  }
}

extension String {
  /// The parts after each occurrence of a text.
  fileprivate func components(after text: String) -> [Substring] {
    ranges(of: text).map { self[$0.upperBound...] }
  }
}
