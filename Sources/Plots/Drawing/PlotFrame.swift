/// A plotting area with two axes. Its upper left corner, with the title of the vertical axis above, is the origin; the
/// labels of the vertical axis are within its width.
struct PlotFrame {
  /// The horizontal scale.
  let x: PlotScale
  /// The vertical scale.
  let y: PlotScale
  /// The position of the vertical axis.
  let left: Double
  /// The position of the upper end of the vertical axis.
  let top: Double
  /// The width of the area between the axes.
  let width: Double
  /// The height of the area between the axes.
  let height: Double
  private let xTitle: String
  private let yTitle: String

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - x: The horizontal scale.
  ///   - y: The vertical scale.
  ///   - xTitle: The title below the horizontal axis; may be empty.
  ///   - yTitle: The title above the vertical axis; may be empty.
  ///   - width: The width of everything.
  ///   - height: The height of the area between the axes.
  ///   - leastLeft: The least position of the vertical axis, by which frames above one another are aligned.
  init(
    x: PlotScale, y: PlotScale, xTitle: String, yTitle: String, width: Double, height: Double,
    leastLeft: Double = 0
  ) {
    (self.x, self.y, self.xTitle, self.yTitle) = (x, y, xTitle, yTitle)
    let labels = y.ticks.map { TextWidth.of($0.label, size: Self.labelSize) }.max() ?? 0
    left = max(labels + 10, leastLeft)
    top = yTitle.isEmpty ? 8 : 24
    // The last label of the horizontal axis is centred below its tick.
    self.width = max(10, width - left - 14)
    self.height = height
  }

  private static let labelSize = 11.0

  /// The height of everything, with labels and titles.
  var totalHeight: Double {
    top + height + 18 + (hasDetails ? 13 : 0) + (xTitle.isEmpty ? 2 : 17)
  }

  private var hasDetails: Bool { x.ticks.contains { $0.detail != nil } }

  /// Returns the position of a value on the horizontal axis.
  func across(_ value: Double) -> Double { left + x.position(value) * width }

  /// Returns the position of a value on the vertical axis.
  func down(_ value: Double) -> Double { top + (1 - y.position(value)) * height }

  /// The axes with ticks and titles, and grid lines.
  var axes: Markup {
    var markup = Markup.none
    for tick in y.ticks {
      let y = down(tick.value)
      markup += Marks.line(left, y, left + width, y, "bp-grid")
      markup += Label.text(
        tick.label, x: left - 6, y: y + 4, anchor: .end, look: .muted, size: Self.labelSize)
    }
    let bottom = top + height
    markup += Marks.line(left, bottom, left + width, bottom, "bp-axis")
    markup += xLabels
    if !yTitle.isEmpty {
      markup += Label.text(yTitle, x: 0, y: 12, look: .muted, size: 11, width: left + width)
    }
    if !xTitle.isEmpty {
      markup += Label.text(
        xTitle, x: left + width / 2, y: totalHeight - 4, anchor: .middle, look: .muted,
        size: Self.labelSize, width: left + width)
    }
    return markup
  }

  /// The ticks of the horizontal axis, and the labels for which there is room.
  private var xLabels: Markup {
    var markup = Markup.none
    let bottom = top + height
    var end = -Double.infinity
    for tick in x.ticks {
      let x = across(tick.value)
      markup += Marks.line(x, bottom, x, bottom + 5, "bp-axis")
      let half = TextWidth.of(tick.label, size: Self.labelSize) / 2
      guard x - half > end + 4 else { continue }
      end = x + half
      markup += Label.text(
        tick.label, x: x, y: bottom + 17, anchor: .middle, look: .muted, size: Self.labelSize)
      guard let detail = tick.detail else { continue }
      markup += Label.text(
        detail, x: x, y: bottom + 30, anchor: .middle, look: .muted, size: Self.labelSize)
      end = max(end, x + TextWidth.of(detail, size: Self.labelSize) / 2)
    }
    return markup
  }

  /// Returns a text in the middle of the area, which says why there is nothing else.
  func message(_ text: String) -> Markup {
    let room = width - 20
    let lines = TextWidth.lines(text, width: room, most: 6)
    var markup = Markup.element(
      "rect",
      [
        Markup.Attribute("class", "bp-grid"), Markup.Attribute("x", left),
        Markup.Attribute("y", top), Markup.Attribute("width", width),
        Markup.Attribute("height", height),
      ])
    for (index, line) in lines.enumerated() {
      let y = top + height / 2 + (Double(index) - Double(lines.count - 1) / 2) * 17 + 4
      markup += Label.text(line, x: left + width / 2, y: y, anchor: .middle, look: .muted)
    }
    return markup
  }
}
