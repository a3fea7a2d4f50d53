/// The data of an SVG path of straight lines.
struct PathData {
  /// The data as text.
  private(set) var text = ""

  /// Starts a new part at a point.
  mutating func move(_ x: Double, _ y: Double) {
    text += "M\(Markup.number(x)) \(Markup.number(y))"
  }

  /// Draws a straight line to a point.
  mutating func line(_ x: Double, _ y: Double) {
    text += "L\(Markup.number(x)) \(Markup.number(y))"
  }

  /// Draws lines through points, starting a new part at the first.
  mutating func lines(_ points: [(x: Double, y: Double)]) {
    for (index, point) in points.enumerated() {
      if index == 0 { move(point.x, point.y) } else { line(point.x, point.y) }
    }
  }

  /// Closes the part.
  mutating func close() { text += "Z" }
}
