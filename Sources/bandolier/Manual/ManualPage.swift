import Specifications

/// The manual page of a verb, made of what the verb declares.
struct ManualPage {
  /// The name of its file.
  let fileName: String
  /// The page as text of man(7).
  let text: String

  /// The pages of the command and of every verb.
  static func all() throws -> [ManualPage] {
    let command = try VerbDescription.command()
    let verbs = command.all
    return verbs.map { ManualPage($0, among: verbs) }
  }

  /// Creates the page of a verb.
  ///
  /// - Parameters:
  ///   - verb: The verb.
  ///   - verbs: Every verb that has a page.
  private init(_ verb: VerbDescription, among verbs: [VerbDescription]) {
    fileName = "\(verb.pageName).1"
    var page = Roff()
    Self.appendHead(verb, to: &page)
    Self.appendDescription(verb, to: &page)
    Self.appendOptions(verb, to: &page)
    Self.appendExitStatus(verb, to: &page)
    if verb.words.isEmpty {
      page.section("ENVIRONMENT")
      for (name, meaning) in environment { page.entry([.bold(name)], meaning) }
      page.section("FILES")
      for (name, meaning) in files { page.entry([.italic(name)], meaning) }
    }
    if !verb.examples.isEmpty {
      page.section("EXAMPLES")
      for example in verb.examples { page.example(example) }
    }
    Self.appendReferences(verb, among: verbs, to: &page)
    text = page.text
  }

  private static func appendHead(_ verb: VerbDescription, to page: inout Roff) {
    page.title(
      verb.pageName.uppercased(), date: Bandolier.released,
      source: "Bandolier \(Bandolier.version)", manual: "Bandolier Manual")
    page.section("NAME")
    let abstract = verb.abstract.hasSuffix(".") ? verb.abstract.dropLast() : verb.abstract[...]
    page.line("\(verb.pageName) - \(abstract.replacing("`", with: ""))")
    page.section("SYNOPSIS")
    for form in verb.usage {
      page.macro("SY", "bandolier")
      page.spans(spans(ofCall: form.dropFirst("bandolier ".count)))
      page.macro("YS")
    }
  }

  /// Returns a call with values in italics, and words and options in bold.
  private static func spans(ofCall call: Substring) -> [Roff.Span] {
    var spans: [Roff.Span] = []
    var isValue = false
    for piece in call.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "<" || $0 == ">" })
    {
      if isValue {
        spans.append(.italic(String(piece)))
      } else if !piece.isEmpty {
        // Brackets and dots are not typed.
        let isNotation = piece.allSatisfy { "[]. |".contains($0) }
        spans.append(isNotation ? .plain(String(piece)) : .bold(String(piece)))
      }
      isValue.toggle()
    }
    return spans
  }

  private static func appendDescription(_ verb: VerbDescription, to page: inout Roff) {
    page.section("DESCRIPTION")
    // The exit statuses have a section of their own.
    let discussion = verb.discussion.replacing(ExitCode.sentence, with: "")
    page.prose("\(verb.abstract)\n\n\(discussion)")
    guard !verb.verbs.isEmpty else { return }
    page.section(verb.words == ["report"] ? "REPORTS" : "VERBS")
    for verb in verb.verbs { page.entry([.bold(verb.pageName), .plain("(1)")], verb.abstract) }
  }

  private static func appendOptions(_ verb: VerbDescription, to page: inout Roff) {
    page.section("OPTIONS")
    for argument in verb.arguments {
      var title: [Roff.Span] = []
      for name in argument.names {
        if !title.isEmpty { title.append(.plain(", ")) }
        title.append(.bold(name))
      }
      if let value = argument.valueName {
        if !title.isEmpty { title.append(.plain(" ")) }
        title.append(.italic(value))
      }
      if argument.isRepeating { title.append(.plain(" ...")) }
      page.entry(title, argument.explanation)
    }
  }

  private static func appendExitStatus(_ verb: VerbDescription, to page: inout Roff) {
    page.section("EXIT STATUS")
    let hasChecks =
      verb.words.isEmpty || verb.arguments.contains { $0.explanation.contains("with code 3") }
    for code in ExitCode.allCases where code != .checkFailed || hasChecks {
      let meaning = code.meaning
      page.entry(
        [.bold("\(code.rawValue)")], "\(meaning.prefix(1).uppercased())\(meaning.dropFirst()).")
    }
  }

  /// Adds the pages of the verbs above it, those below it, and those that its text names.
  private static func appendReferences(
    _ verb: VerbDescription, among verbs: [VerbDescription], to page: inout Roff
  ) {
    let text = ([verb.abstract, verb.discussion] + verb.arguments.map(\.explanation))
      .joined(separator: " ")
    let related = verbs.filter { other in
      guard other.words != verb.words else { return false }
      return verb.words.starts(with: other.words) || Array(other.words.dropLast()) == verb.words
        || text.contains("`\((["bandolier"] + other.words).joined(separator: " "))`")
    }
    page.section("SEE ALSO")
    let names = related.map(\.pageName).sorted()
    page.spans(
      names.enumerated().flatMap { index, name -> [Roff.Span] in
        [.bold(name), .plain("(1)" + (index == names.count - 1 ? "" : ", "))]
      })
  }
}

/// The environment variables that the command reads.
private let environment = [
  (
    "NO_COLOR",
    "Tables on a terminal have no colors if it is set and not empty (see https://no-color.org)."
  ),
  ("TERM", "Tables on a terminal have no colors if it is `dumb`."),
  (
    "COLUMNS",
    "The width of help, where it is set; otherwise that of the terminal. Tables are as wide as the terminal, and 80 "
      + "columns in a file or pipe: there the environment changes nothing, so that a command writes the same bytes "
      + "everywhere."
  ),
  (
    "TMPDIR",
    "The folder for the copy of a database that its last writer left unfinished and that may not be changed (default: "
      + "/tmp)."
  ),
  (
    "LC_ALL, LC_CTYPE, LC_MESSAGES, LANG",
    "LC_CTYPE says whether tables on a terminal may have characters beyond ASCII, LC_MESSAGES which language and "
      + "country `bandolier decide` takes for those of the user; LC_ALL takes precedence over both, and LANG stands "
      + "for what is not set. Nothing else depends on the locale."
  ),
]

/// The files that the command writes on its own.
private let files = [
  (
    "LOG",
    "A log is a folder of numbered segments, which are only ever appended to; quarantine in it has what a crash left "
      + "and what was damaged. Move or copy the folder as a whole."
  ),
  (
    "LOG.truth.json",
    "The true means, propensities and best variants of a log of `bandolier generate`."
  ),
]
