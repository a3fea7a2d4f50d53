import Specifications

/// Text on a terminal: escaping, width, truncation and wrapping.
package enum TerminalText {
  /// Returns the text with every control character shown as `\n` or `\u{1B}`, so that it cannot move the cursor,
  /// change colours or reverse the direction of the line.
  package static func escaped(_ text: String) -> String {
    if isPlain(text) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if let escape = escape(of: scalar) {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a message as one line, escaped and of a limited length, whatever it quotes: a name with a line break
  /// cannot pass for a message of its own, and a large one does not fill the screen.
  package static func message(_ text: String) -> String { MessageText.shortened(escaped(text)) }

  /// Returns a message in which texts that it quotes are escaped, so that their line breaks are none of the message.
  package static func escaping(_ quoted: [String], in text: String) -> String {
    quoted.filter { $0.contains("\n") }.reduce(text) { $0.replacing($1, with: escaped($1)) }
  }

  /// Returns a message of several lines, each like ``message(_:)``.
  package static func messageLines(_ text: String) -> String {
    text
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { message(String($0)) }
      .joined(separator: "\n")
  }

  /// Returns the escape of a control, format or line-separating character; nil for any other.
  ///
  /// The two joiners are not escaped: emoji and some scripts need them, and they do not move the cursor.
  package static func escape(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case " "..."~", "\u{200C}", "\u{200D}": return nil
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        return "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: return nil
      }
    }
  }

  /// Returns the width of an escaped text on a terminal, in columns.
  ///
  /// - Complexity: O(length).
  static func width(_ text: String) -> Int {
    if isPlain(text) { return text.utf8.count }
    return text.reduce(0) { $0 + CharacterWidth.of($1) }
  }

  /// Returns the text in at most `width` columns, truncated with the mark in the middle, as names with the same
  /// beginning (`epsilon-greedy:epsilon=0.1`) differ at the end.
  static func fitted(_ text: String, to width: Int, mark: String = "…") -> String {
    if self.width(text) <= width { return text }
    guard width > mark.count else { return String(mark.prefix(max(0, width))) }
    let room = width - mark.count
    let tail = suffix(text, width: room / 3)
    return prefix(text[...], width: room - self.width(tail)) + mark + tail
  }

  /// Returns the parts of a column's name, each but the last with its underscore.
  static func pieces(_ name: String) -> [String] {
    let words = name.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    return words.indices.map { $0 + 1 < words.count ? words[$0] + "_" : words[$0] }
  }

  /// Returns the name of a column in lines of at most `width` columns, broken after underscores where it can be.
  static func headingLines(_ name: String, width: Int) -> [String] {
    var lines: [String] = []
    for piece in pieces(name) {
      if let last = lines.last, self.width(last + piece) <= width {
        lines[lines.count - 1] = last + piece
      } else {
        lines.append(piece)
      }
    }
    return lines
  }

  /// Returns the text in lines of at most `width` columns, broken at spaces where possible.
  ///
  /// A single character wider than a line is shown as the mark.
  package static func wrapped(_ text: String, width: Int, mark: String = "…") -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      var line = prefix(rest, width: width)
      if line.isEmpty {
        lines.append(String(mark.prefix(max(1, width))))
        rest = rest.dropFirst()
        continue
      }
      if line.endIndex < rest.endIndex, let space = lastBreak(in: line, of: rest) {
        line = line[..<space]
      }
      lines.append(String(line))
      rest = rest[line.endIndex...]
      if !rest.isEmpty { rest = rest.drop { $0 == " " } }
    }
    return lines.isEmpty ? [""] : lines
  }

  /// Returns the last space at which a line that is the beginning of a text can end; none before a unit of per cent.
  private static func lastBreak(in line: Substring, of text: Substring) -> String.Index? {
    var end = line.endIndex
    // The line may end with the word before a space.
    if text[end] == " ", !text[text.index(after: end)...].hasPrefix("%") { return end }
    while let space = line[..<end].lastIndex(of: " "), space > line.startIndex {
      if !text[text.index(after: space)...].hasPrefix("%") { return space }
      end = space
    }
    return nil
  }

  private static func prefix(_ text: Substring, width: Int) -> Substring {
    var room = width
    return text.prefix {
      room -= CharacterWidth.of($0)
      return room >= 0
    }
  }

  private static func suffix(_ text: String, width: Int) -> String {
    var room = width
    var start = text.endIndex
    while start > text.startIndex {
      let previous = text.index(before: start)
      room -= CharacterWidth.of(text[previous])
      guard room >= 0 else { break }
      start = previous
    }
    return String(text[start...])
  }

  /// Returns whether every character is printable ASCII, with a width of one and nothing to escape.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }
}
