import TestSupport
import Testing

@Suite("Usage")
struct UsageTests {
  @Test("without arguments the command prints its purpose and its verbs")
  func noArguments() throws {
    let result = try Command.run("")
    expectDone(result)
    #expect(result.messages == "")
    for verb in ["import", "append", "log", "export", "report", "formats"] {
      #expect(result.lines.contains { $0.hasPrefix("  \(verb) ") }, "\(verb)")
    }
    #expect(result.text.contains("Exit codes: 0 done; 3 a check named by --fail-on failed"))
  }

  @Test(
    "every verb has help, no wider than 80 columns or than COLUMNS says",
    .enabled(if: SlowTests.areWanted, "make test SLOW=1 runs it"),
    arguments: Verbs.all)
  func help(words: [String]) throws {
    for (columns, width) in [(nil, 80), ("80", 80), ("64", 64)] as [(String?, Int)] {
      let result = try Command.run(
        words + ["--help"], environment: columns.map { ["COLUMNS": $0] } ?? [:])
      expectDone(result)
      #expect(result.messages == "")
      #expect(result.text.contains("USAGE: bandolier"))
      for line in result.lines { #expect(line.count <= width, "\(line)") }
    }
    #expect(try Command.run(["help"] + words).text == Command.run(words + ["--help"]).text)
  }

  @Test(
    "what the command does not know is a mistake of usage that points to the help",
    arguments: [
      "nonsense", "import", "import a.jsonl", "import a --log L --nonsense", "append",
      "import a --log L --on-error ignore", "report", "report nonsense", "log nonsense x",
      "report rewards", "report rewards L --format xml", "report rewards L --per person",
      "report predictions", "report predictions L --bins x", "predictors extra",
      "report health", "report health L --fail-on nothing", "report health L --expect a",
      "export L --format xml", "log cat L --from 3.5", "formats extra", "log info",
      "import a --log L --progress sometimes", "report rewards L -o", "append L M",
    ])
  func mistakes(words: String) throws {
    let result = try Command.run(words)
    // A verb that needs another verb answers with its help.
    if words == "report" || words == "log" { return }
    expectFailure(result, 64, says: "Usage: bandolier")
    #expect(result.messages.contains("--help"), "\(result.messages)")
  }

  @Test("--by is in the help of verbs that take it, and refused by the others")
  func breakdown() throws {
    for verb in ["report rewards", "report compare", "report predictions"] {
      #expect(try Command.run("\(verb) --help").text.contains("--by <dimension>"), "\(verb)")
    }
    for words in [
      "evaluate L --policy uniform", "learn L --policy-class tabular", "report all L -o F",
      "report power L",
    ] {
      let help = try Command.run("\(words.prefix { $0 != "L" })--help").text
      #expect(help.contains("--jobs") && !help.contains("--by"), "\(words)")
      expectFailure(try Command.run("\(words) --by day"), 64, says: "--by is not available")
    }
  }

  /// The title of the group of each option in the help of a verb.
  private static func groups(_ verb: String) throws -> [(option: String, title: String)] {
    var title = ""
    return try Command.run("\(verb) --help").lines.compactMap { line in
      if line.wholeMatch(of: /[A-Z ]+:/) != nil { title = String(line.dropLast()) }
      return line.prefixMatch(of: #/  (?:-., )?(--[a-z-]+)/#).map { (String($0.output.1), title) }
    }
  }

  @Test("help groups options by what they are for, in the same order and alike in every verb")
  func optionGroups() throws {
    let titles = [
      "INPUT OPTIONS", "METRIC OPTIONS", "ATTRIBUTION OPTIONS", "STATISTICS OPTIONS", "OUTPUT OPTIONS",
      "OPTIONS",
    ]
    let verbs = Verbs.leaves.map { $0.joined(separator: " ") }.filter {
      $0.hasPrefix("report ") || ["evaluate", "learn"].contains($0)
    }
    #expect(verbs.count > 14)
    var known: [String: String] = [:]
    for verb in verbs + ["simulate", "import"] {
      let groups = try Self.groups(verb)
      let order = groups.map(\.title).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      #expect(order == titles.filter(order.contains), "\(verb): \(order)")
      // Options of a simulation and of an import have other meanings.
      for (option, title) in groups where verbs.contains(verb) {
        #expect(known[option, default: title] == title, "\(verb) \(option)")
        known[option] = title
      }
      // What is left is about running: threads, memory, progress, help.
      #expect(groups.count { $0.title == "OPTIONS" } <= 9, "\(verb)")
    }
  }

  @Test("no verb has two options or flags of the same name")
  func distinctNames() {
    #expect(Verbs.described.count > 30)
    for verb in Verbs.described {
      let repeated = Dictionary(grouping: verb.names) { $0 }.filter { $0.value.count > 1 }
      #expect(repeated.isEmpty, "\(verb.words): \(repeated.keys.sorted())")
    }
  }

  @Test("verbs that only group others answer with their help", arguments: ["report", "log"])
  func groups(verb: String) throws {
    let result = try Command.run(verb)
    expectDone(result)
    #expect(result.text == (try Command.run("\(verb) --help").text))
  }

  @Test("values that are wrong are answered with those that are right")
  func values() throws {
    expectFailure(
      try Command.run("report rewards L --format xml"), 64,
      says: "xml", "table", "csv", "json", "jsonl", "markdown")
    expectFailure(
      try Command.run("import a --log L --on-error ignore"), 64, says: "ignore", "stop", "skip")
  }

  @Test("--version prints a version and nothing else")
  func version() throws {
    let result = try Command.run("--version")
    expectDone(result)
    #expect(result.text.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    #expect(result.messages == "")
  }

  @Test("there are completions for three shells", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let result = try Command.run("--generate-completion-script \(shell)")
    expectDone(result)
    #expect(result.messages == "")
    for word in ["bandolier", "import", "rewards", "verify"] {
      #expect(result.text.contains(word))
    }
  }

  @Test("the formats are listed with what they are and where they are documented")
  func formats() throws {
    let result = try Command.run("formats --format csv")
    expectDone(result)
    #expect(result.lines[0] == "format,import,export,what,told_by,documentation,parameters,example")
    #expect(result.lines.contains { $0.hasPrefix("jsonl,true,true,") })
    #expect(result.lines.contains { $0.hasPrefix("obd,true,true,") })
  }
}
