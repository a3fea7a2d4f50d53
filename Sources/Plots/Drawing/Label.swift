/// Texts of a plot, each on one line.
enum Label {
  /// Which point of the text has the position given.
  enum Anchor: String {
    case start, middle, end
  }

  /// The look of a text.
  enum Look: Equatable {
    case plain, bold, muted

    fileprivate var attributes: [Markup.Attribute] {
      switch self {
      case .plain: [Markup.Attribute("class", "bp-text")]
      case .bold: [Markup.Attribute("class", "bp-text"), Markup.Attribute("font-weight", "bold")]
      case .muted: [Markup.Attribute("class", "bp-muted")]
      }
    }
  }

  /// Returns a text, truncated if it is wider than a number of pixels, with the whole text as a tooltip.
  static func text(
    _ text: String, x: Double, y: Double, anchor: Anchor = .start, look: Look = .plain,
    size: Double = 12, width: Double = .infinity
  ) -> Markup {
    let shown = TextWidth.truncated(text, to: width, size: size, isBold: look == .bold)
    var attributes = [Markup.Attribute("x", x), Markup.Attribute("y", y)]
    if anchor != .start { attributes.append(Markup.Attribute("text-anchor", anchor.rawValue)) }
    if size != 12 { attributes.append(Markup.Attribute("font-size", size)) }
    return Markup.text(
      "text", attributes + look.attributes, shown, tooltip: shown == text ? nil : text)
  }

  /// Returns a text in several lines if it is wider than a number of pixels, and its height.
  static func paragraph(
    _ text: String, x: Double, y: Double, look: Look = .muted, size: Double = 12, width: Double,
    most: Int = .max
  ) -> (markup: Markup, height: Double) {
    var markup = Markup.none
    let lines = TextWidth.lines(text, width: width, size: size, most: most)
    for (index, line) in lines.enumerated() {
      let y = y + size + Double(index) * (size + 4)
      markup += Self.text(line, x: x, y: y, look: look, size: size)
    }
    return (markup, Double(lines.count) * (size + 4))
  }
}
