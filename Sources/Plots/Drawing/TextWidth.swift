/// Estimated widths of texts in a sans-serif font, from which labels and legends are laid out.
///
/// A viewer's font is not known here; the estimates are those of a wide one, DejaVu Sans, so that nothing is cut.
enum TextWidth {
  /// Returns the width of a text in pixels.
  static func of(_ text: String, size: Double = 12, isBold: Bool = false) -> Double {
    let width = text.unicodeScalars.reduce(0) { $0 + of($1) }
    return width * size * (isBold ? 1.12 : 1)
  }

  /// Returns the text, its end replaced by an ellipsis if it is wider than a number of pixels.
  static func truncated(
    _ text: String, to width: Double, size: Double = 12, isBold: Bool = false
  ) -> String {
    // Most texts are short.
    guard of(text, size: size, isBold: isBold) > width else { return text }
    let room = width - of("…", size: size, isBold: isBold)
    var taken = 0.0
    var end = text.startIndex
    for index in text.indices {
      taken += of(String(text[index]), size: size, isBold: isBold)
      guard taken <= room else { break }
      end = text.index(after: index)
    }
    return text[..<end] + "…"
  }

  /// Breaks a text into lines at spaces, or within a word that is too long for a line.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The width of a line in pixels.
  ///   - size: The size of the font.
  ///   - most: The maximum number of lines; the last one is truncated.
  /// - Returns: The lines.
  static func lines(
    _ text: String, width: Double, size: Double = 12, most: Int = .max
  ) -> [String] {
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      if lines.count == most - 1 {
        lines.append(truncated(String(rest), to: width, size: size))
        break
      }
      let end = breakPoint(rest, width, size)
      lines.append(String(rest[..<end]))
      rest = rest[end...].drop { $0 == " " }
    }
    return lines
  }

  /// Returns where the first line ends.
  private static func breakPoint(
    _ text: Substring, _ width: Double, _ size: Double
  ) -> Substring.Index {
    var taken = 0.0
    var space: Substring.Index?
    for index in text.indices {
      taken += of(String(text[index]), size: size)
      if taken > width, index > text.startIndex { return space ?? index }
      if text[index] == " ", index > text.startIndex { space = index }
    }
    return text.endIndex
  }

  private static func of(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", "'", "|", ".", ",", ":", ";", "!", " ", "/": return 0.34
    case "f", "t", "r", "(", ")", "[", "]", "-": return 0.42
    case "c", "k", "s", "v", "x", "y", "z", "a", "o", "e": return 0.61
    case "m", "w", "M", "W", "@", "%": return 0.98
    case "A"..."Z", "+", "<", "=", ">", "~", "#", "_": return 0.78
    default: break
    }
    if scalar.value < 0x20 || scalar.properties.generalCategory == .nonspacingMark { return 0 }
    if scalar.value < 0x1100 { return 0.64 }
    return scalar.value < 0x2E80 && !scalar.properties.isEmojiPresentation ? 0.9 : 1.2
  }
}
