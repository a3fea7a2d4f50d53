/// The names of series with samples of their marks, in as many lines as they need.
struct Legend: Sendable, Equatable {
  /// The sample of a series.
  enum Sample: Sendable, Equatable {
    case line, area, reference, expected, point
  }

  /// A series.
  struct Entry: Sendable, Equatable {
    var name: String
    var series: Int
    var sample: Sample
  }

  var entries: [Entry]

  private static let lineHeight = 18.0
  private static let sampleWidth = 26.0
  private static let gap = 16.0
  private static let mostLines = 3

  /// Returns the legend of several panels; nil if the same mark has different names in two of them.
  static func shared(_ legends: [Legend]) -> Legend? {
    var entries: [Entry] = []
    for entry in legends.flatMap(\.entries) where !entries.contains(entry) {
      let isAmbiguous = entries.contains { other in
        other.name == entry.name || other.series == entry.series && other.sample == entry.sample
      }
      if isAmbiguous { return nil }
      entries.append(entry)
    }
    return Legend(entries: entries)
  }

  /// Returns the legend within a width, and its height; names that are wider are broken into lines.
  func drawing(width: Double) -> (markup: Markup, height: Double) {
    var markup = Markup.none
    var (x, y) = (0.0, 0.0)
    for entry in entries {
      let room = width - Self.sampleWidth
      let lines = TextWidth.lines(entry.name, width: room, most: Self.mostLines)
      let own = Self.sampleWidth + (lines.map { TextWidth.of($0) }.max() ?? 0)
      if x > 0, x + own > width || lines.count > 1 { (x, y) = (0, y + Self.lineHeight) }
      markup += Self.sample(entry).moved(x: x, y: y + Self.lineHeight / 2)
      for (index, line) in lines.enumerated() {
        if index > 0 { y += Self.lineHeight }
        let isCut = index == lines.count - 1 && line.hasSuffix("…")
        markup += Markup.text(
          "text",
          [
            Markup.Attribute("x", x + Self.sampleWidth), Markup.Attribute("y", y + 13),
            Markup.Attribute("class", "bp-text"),
          ], line, tooltip: isCut ? entry.name : nil)
      }
      x += own + Self.gap
    }
    return (markup, entries.isEmpty ? 0 : y + Self.lineHeight)
  }

  private static func sample(_ entry: Entry) -> Markup {
    let style = SeriesStyle(entry.series)
    switch entry.sample {
    case .line:
      return Markup.group([style.color], Marks.line(0, 0, 20, 0, "bp-line", style.dashes))
    case .area:
      return Markup.group([style.color] + style.opacity, Marks.rectangle(3, -6, 13, 12))
    case .point: return Markup.group([style.color], Marks.dot(10, 0, radius: 4))
    case .reference: return Marks.line(0, 0, 20, 0, "bp-reference")
    case .expected: return Marks.line(10, -7, 10, 7, "bp-expected")
    }
  }
}
