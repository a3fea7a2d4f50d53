/// Text in the macro language of manual pages, man(7), as groff and mandoc read it.
struct Roff {
  /// The finished lines.
  private(set) var lines: [String] = []

  /// The whole text, which ends with a newline.
  var text: String { lines.map { "\($0)\n" }.joined() }

  /// Adds the head of a page. Lines are not justified, and words not hyphenated: an option is never broken.
  mutating func title(_ name: String, date: String, source: String, manual: String) {
    lines.append(".TH \"\(Self.escaped(name))\" 1 \(date) \"\(source)\" \"\(manual)\"")
    lines += [".nr HY 0", ".nh", ".ad l"]
  }

  /// Adds a macro with its arguments, each of which is one word to the formatter.
  mutating func macro(_ name: String, _ arguments: String...) {
    lines.append(
      ([".\(name)"] + arguments.map { "\"\(Self.escaped($0, quoted: true))\"" }).joined(
        separator: " "))
  }

  /// Adds a heading.
  mutating func section(_ title: String) { macro("SH", title) }

  /// Adds a text as one line.
  mutating func line(_ text: String) { lines.append(Self.guarded(Self.escaped(text))) }

  /// Adds paragraphs of prose, which end at empty lines; other line breaks are kept, and text in backticks is bold.
  mutating func prose(_ text: String) {
    for (index, paragraph) in text.split(separator: "\n\n").enumerated() {
      if index > 0 { lines.append(".PP") }
      let parts = paragraph.split(separator: "\n")
      for (index, part) in parts.enumerated() {
        if index > 0 { lines.append(".br") }
        self.text(String(part))
      }
    }
  }

  /// Adds an entry of a list: what it is about, in styles of its own, and the text below it.
  mutating func entry(_ title: [Span], _ text: String) {
    lines.append(".TP")
    lines.append(title.map(\.text).joined())
    self.text(text)
  }

  /// Adds words in styles, broken into lines where they may be.
  mutating func spans(_ spans: [Span]) {
    fill(spans.map(\.text).joined().split(separator: " ").map(String.init))
  }

  /// Adds lines of commands as they are.
  mutating func example(_ text: String) {
    if lines.last == ".EE" { lines.append(".PP") }
    lines.append(".EX")
    for line in text.split(separator: "\n") {
      lines.append(Self.guarded("  " + Self.escaped(String(line))))
    }
    lines.append(".EE")
  }

  /// Adds one paragraph of prose; text in backticks is bold.
  private mutating func text(_ text: String) {
    let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
    // A lone backtick is a backtick.
    guard pieces.count % 2 == 1 else { return fill(Self.words(Self.escaped(text))) }
    let styled = pieces.enumerated().map { index, piece in
      index % 2 == 1 ? Span.bold(String(piece)).text : Self.escaped(String(piece))
    }
    fill(Self.words(styled.joined()))
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map { $0 == "..." ? "...\\&" : String($0) }
  }

  /// Adds words in lines of at most 72 columns, each sentence on lines of its own, so that the space between two
  /// sentences is the same everywhere.
  private mutating func fill(_ words: [String]) {
    var line = ""
    for word in words {
      if !line.isEmpty, line.count + 1 + word.count > 72 {
        lines.append(Self.guarded(line))
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
      if word.last == "." {
        lines.append(Self.guarded(line))
        line = ""
      }
    }
    if !line.isEmpty { lines.append(Self.guarded(line)) }
  }

  /// Returns a line that is no macro, whatever its first character.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// Returns the text with every character that has a meaning to the formatter written as an escape, so that it prints
  /// as itself: an option keeps its hyphens, and a command can be copied.
  static func escaped(_ text: String, quoted: Bool = false) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"" where quoted: "\\(dq"
      case "\n" where quoted: " "
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u\(hexadecimal(scalar))]"
      }
    }.joined()
  }

  /// Returns the code point with at least four digits.
  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension Roff {
  /// A text in one style.
  enum Span {
    /// Plain text.
    case plain(String)
    /// Text that is written as it is: commands and options.
    case bold(String)
    /// A placeholder: the name of a value.
    case italic(String)

    fileprivate var text: String {
      switch self {
      case .plain(let text): Roff.escaped(text)
      case .bold(let text): "\\fB\(Roff.escaped(text))\\fR"
      case .italic(let text): "\\fI\(Roff.escaped(text))\\fR"
      }
    }
  }
}
