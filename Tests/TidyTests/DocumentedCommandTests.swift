import Testing

/// README.md and the pages of the DocC catalogues show every verb and every report as a command.
@Suite("Documented commands")
struct DocumentedCommandTests {
  @Test("the documentation shows every verb and every report as a command")
  func commands() throws {
    let documented = DocumentedCommands(try Repository.pages())
    // The report `evaluate` is a verb of its own.
    let commands =
      try Self.verbs() + Self.reports().map { $0 == "evaluate" ? $0 : "report \($0)" }
    #expect(commands.count > 35)
    for command in commands {
      #expect(documented.shows("bandolier \(command)"), "no page shows bandolier \(command)")
    }
  }

  /// The names of the verbs, those of groups as `log NAME`, `keys NAME` and `metrics NAME`.
  private static func verbs() throws -> [String] {
    let keys = try SourceFile.all(in: "Sources/bandolier-serve/Command").filter {
      $0.name.hasPrefix("Keys")
    }
    return try (SourceFile.all(in: "Sources/bandolier/Verbs") + keys).flatMap { source in
      let names = source.lines.compactMap {
        $0.firstMatch(of: /(?:commandName: |static let verb = )"([a-z-]+)"/).map { String($0.output.1) }
      }
      #expect(!names.isEmpty, "\(source.path) has no name of a command")
      let group = ["log", "keys", "metrics"].first { source.name.lowercased().hasPrefix($0) }
      return names.map { name in
        guard let group, name != group else { return name }
        return "\(group) \(name)"
      }
    }
  }

  /// The names of the standard reports.
  private static func reports() throws -> [String] {
    let list = try Repository.text("Sources/Reports/Report/ReportCatalog.swift")
    let sources = try SourceFile.all(in: "Sources/Reports/Reports")
    return try list.matches(of: /(\w+)\.self/).map { match -> String in
      let file = "\(match.output.1).swift"
      let source = try #require(sources.first { $0.name == file }, "there is no \(file)")
      let names = source.lines.compactMap {
        $0.firstMatch(of: /static let name = "([a-z_-]+)"/).map { String($0.output.1) }
      }
      return try #require(names.first, "\(source.path) has no name")
    }
  }

  @Test("commands in code are told from words in prose and from longer names")
  func samples() {
    for page in [
      "```\n$ bandolier data shop.log\n```", "```\nbandolier data\n```", "Use `bandolier data`.",
      "```\ncat a \\\n    | bandolier data shop.log\n```", "| `bandolier data LOG` | reads |",
    ] {
      #expect(DocumentedCommands([page]).shows("bandolier data"), "\(page)")
    }
    for page in [
      "Give bandolier data that it can read.", "Use `data`.", "```\nbandolier database\n```",
      "```\nbandolier data-set\n```", "```\nls\n```\nbandolier data", "`bandolier log data`", "",
    ] {
      #expect(!DocumentedCommands([page]).shows("bandolier data"), "\(page)")
    }
  }
}
