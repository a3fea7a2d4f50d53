/// SVG elements as text: the same bytes for the same numbers, in every locale.
package enum SVG {
  /// Returns a whole file with the given elements, each on its line, on a white background. The title, if any, is the
  /// accessible name for screen readers.
  package static func document(
    width: Double, height: Double, title: String? = nil, _ content: String
  ) -> String {
    let (width, height) = (number(width), number(height))
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)" font-family="sans-serif" font-size="12">

      """ + (title.map { "<title>\(escaped($0))</title>\n" } ?? "")
        + "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + content + "</svg>\n"
  }

  /// Returns elements translated to the right and down.
  package static func group(x: Double, y: Double, _ content: String) -> String {
    "<g transform=\"translate(\(number(x)) \(number(y)))\">\n\(content)</g>\n"
  }

  /// Returns a text on one line.
  package static func label(
    _ text: String, x: Double, y: Double, anchor: String, weight: String = "normal"
  ) -> String {
    "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\" font-weight=\"\(weight)\">\(escaped(text))</text>\n"
  }

  /// Returns a text that is truncated if it is too long, with the whole text as a tooltip.
  package static func label(
    _ text: String, x: Double, y: Double, characters: Int
  ) -> String {
    guard text.count > characters else { return label(text, x: x, y: y, anchor: "start") }
    return "<g><title>\(escaped(text))</title>"
      + label("\(text.prefix(max(0, characters - 1)))…", x: x, y: y, anchor: "start").dropLast()
      + "</g>\n"
  }

  /// Returns a straight line.
  package static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String
  ) -> String {
    "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" \(style)/>\n"
  }

  /// Returns the points of a path.
  package static func path(_ points: [(x: Double, y: Double)]) -> String {
    points.map { "\(number($0.x)) \(number($0.y))" }.joined(separator: "L")
  }

  /// Formats a number with at most two decimals.
  package static func number(_ value: Double) -> String {
    let hundredths = (value * 100).rounded()
    guard abs(hundredths) < 1e15 else { return "0" }
    let (whole, rest) = Int(abs(hundredths)).quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
    return "\(sign)\(whole).\(digits)"
  }

  /// Escapes a text for XML: names come from logs, and may contain anything.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // XML 1.0 cannot represent these characters, not even escaped.
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar.value < 32 ? " " : scalar)
      }
    }
    return escaped
  }
}
