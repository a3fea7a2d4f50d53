/// The marks of plots. Colours come from the group around them.
enum Marks {
  /// The most marks of a panel that have values of their own for pointers and scripts.
  static let mostWithValues = 200

  /// The values of a mark, for the reader's pointer and for scripts.
  struct Values {
    /// The text of the tooltip.
    var tooltip: String
    /// The attributes `data-…`.
    var data: [Markup.Attribute]
  }

  /// Returns a straight line.
  static func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ look: String,
    _ more: [Markup.Attribute] = []
  ) -> Markup {
    Markup.element(
      "line",
      [
        Markup.Attribute("class", look), Markup.Attribute("x1", x1), Markup.Attribute("y1", y1),
        Markup.Attribute("x2", x2), Markup.Attribute("y2", y2),
      ] + more)
  }

  /// Returns a dot.
  static func dot(
    _ x: Double, _ y: Double, radius: Double, look: String = "bp-fill", values: Values? = nil
  ) -> Markup {
    Markup.element(
      "circle",
      [
        Markup.Attribute("class", look), Markup.Attribute("cx", x), Markup.Attribute("cy", y),
        Markup.Attribute("r", radius),
      ] + (values?.data ?? []), tooltip: values?.tooltip)
  }

  /// Returns a rectangle.
  static func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, look: String = "bp-fill",
    values: Values? = nil
  ) -> Markup {
    Markup.element(
      "rect",
      [
        Markup.Attribute("class", look), Markup.Attribute("x", x), Markup.Attribute("y", y),
        Markup.Attribute("width", max(0, width)), Markup.Attribute("height", max(0, height)),
      ] + (values?.data ?? []), tooltip: values?.tooltip)
  }

  /// Returns a path; none for one without points.
  static func path(
    _ data: PathData, _ look: String, _ more: [Markup.Attribute] = [], tooltip: String? = nil
  ) -> Markup {
    guard !data.text.isEmpty else { return .none }
    return Markup.element(
      "path", [Markup.Attribute("class", look), Markup.Attribute("d", data.text)] + more,
      tooltip: tooltip)
  }

  /// Returns an interval as a vertical line with ends.
  static func verticalInterval(x: Double, low: Double, high: Double) -> Markup {
    var path = PathData()
    path.lines([(x, low), (x, high)])
    path.lines([(x - 3, low), (x + 3, low)])
    path.lines([(x - 3, high), (x + 3, high)])
    return Marks.path(path, "bp-whisker", [Markup.Attribute("stroke-width", 1.5)])
  }
}
