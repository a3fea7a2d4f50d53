internal import Tables

/// The text of elements and attributes.
enum HTMLText {
  /// Appends a text with markup escaped. Control characters, which HTML cannot hold, and those that change the
  /// direction of a line are shown as `\n` or `\u{1B}`, as in the other formats for people.
  static func append(_ text: String, to markup: inout String) {
    if text.utf8.allSatisfy(isPlain) { return markup.append(text) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": markup += "&amp;"
      case "<": markup += "&lt;"
      case ">": markup += "&gt;"
      case "\"": markup += "&quot;"
      case "'": markup += "&#39;"
      // Characters that XML cannot hold.
      case "\u{FFFE}", "\u{FFFF}": markup += "\u{FFFD}"
      default:
        if let escape = TerminalText.escape(of: scalar) {
          markup += escape
        } else {
          markup.unicodeScalars.append(scalar)
        }
      }
    }
  }

  /// Appends markup with references in place of the characters beyond ASCII, which are in texts and attributes only.
  static func append(markupInASCII part: String, to markup: inout String) {
    var ascii: [UInt8] = []
    for scalar in part.unicodeScalars {
      if scalar.isASCII {
        ascii.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        ascii += "&#\(scalar.value);".utf8
      }
    }
    markup += String(decoding: ascii, as: UTF8.self)
  }

  /// Returns whether a byte is a printable ASCII character without a meaning in markup.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      false
    default: byte >= 0x20 && byte < 0x7F
    }
  }
}
