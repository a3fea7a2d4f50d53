internal import Specifications

/// SVG markup that is well-formed by construction: texts and values of attributes are escaped where they enter, and
/// equal numbers give equal bytes in every locale.
struct Markup: Sendable, Equatable {
  /// The markup as text.
  private(set) var source: String

  /// No markup.
  static let none = Markup(source: "")

  private init(source: String) { self.source = source }

  /// An attribute of an element.
  struct Attribute: Sendable {
    let source: String

    /// Creates an attribute with a text, which may be any.
    init(_ name: StaticString, _ value: String) { source = " \(name)=\"\(Markup.escaped(value))\"" }

    /// Creates an attribute with a number, rounded to two decimals.
    init(_ name: StaticString, _ value: Double) { source = " \(name)=\"\(Markup.number(value))\"" }
  }

  /// Returns an element without content, or with a tooltip.
  static func element(
    _ name: StaticString, _ attributes: [Attribute], tooltip: String? = nil
  ) -> Markup {
    let open = "<\(name)" + attributes.map(\.source).joined()
    guard let tooltip else { return Markup(source: open + "/>\n") }
    return Markup(source: "\(open)><title>\(escaped(tooltip))</title></\(name)>\n")
  }

  /// Returns an element that contains text.
  static func text(
    _ name: StaticString, _ attributes: [Attribute], _ text: String, tooltip: String? = nil
  ) -> Markup {
    let title = tooltip.map { "<title>\(escaped($0))</title>" } ?? ""
    return Markup(
      source: "<\(name)\(attributes.map(\.source).joined())>\(title)\(escaped(text))</\(name)>\n")
  }

  /// Returns a group of elements; nothing without elements.
  static func group(_ attributes: [Attribute], _ content: Markup) -> Markup {
    container("g", attributes, content)
  }

  /// Returns an element that contains others; nothing without them.
  static func container(
    _ name: StaticString, _ attributes: [Attribute], _ content: Markup
  ) -> Markup {
    guard !content.source.isEmpty else { return none }
    return Markup(
      source: "<\(name)\(attributes.map(\.source).joined())>\n\(content.source)</\(name)>\n")
  }

  /// Returns the rules of a style sheet, which are fixed texts.
  static func style(_ rules: [StaticString]) -> Markup {
    Markup(source: "<style>\n" + rules.map { "\($0)\n" }.joined() + "</style>\n")
  }

  static func += (markup: inout Markup, other: Markup) { markup.source += other.source }

  static func + (first: Markup, second: Markup) -> Markup {
    Markup(source: first.source + second.source)
  }

  /// Returns the markup moved to the right and down.
  func moved(x: Double, y: Double) -> Markup {
    let place = "translate(\(Self.number(x)) \(Self.number(y)))"
    return Self.group([Attribute("transform", place)], self)
  }

  /// Formats a number with at most two decimals; one that is not finite, or enormous, as 0.
  static func number(_ value: Double) -> String {
    abs(value * 100) < 1e15 ? NumberText.fixed(value, places: 2, dropsZeros: true) : "0"
  }

  /// Escapes a text for XML: names come from logs, and may contain anything.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: escaped += "&amp;"
      case 0x3C: escaped += "&lt;"
      case 0x3E: escaped += "&gt;"
      case 0x22: escaped += "&quot;"
      case 0x00..<0x20, 0x7F..<0xA0: escaped += " "
      // XML 1.0 cannot represent the first two, not even escaped; the others would reverse the text after them.
      case 0xFFFE, 0xFFFF, 0x202A...0x202E, 0x2066...0x2069: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
