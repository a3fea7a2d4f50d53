/// A plotting area with two axes; its upper left corner is the origin.
package struct PlotPanel: Sendable {
  /// The horizontal scale.
  package var x: PlotScale
  /// The vertical scale.
  package var y: PlotScale
  /// The width of the area, without labels.
  package var width: Double
  /// The height of the area, without labels.
  package var height: Double

  /// Creates an area.
  package init(x: PlotScale, y: PlotScale, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Returns the position of a pair of values.
  package func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (self.x.position(x) * width, (1 - self.y.position(y)) * height)
  }

  /// Returns both axes with numbers and titles, and horizontal grid lines.
  package func axes(x xTitle: String, y yTitle: String) -> String {
    var text = ""
    for tick in y.ticks {
      let y = (1 - y.position(tick)) * height
      text += SVG.line(0, y, width, y, "stroke=\"#ddd\"")
      text += SVG.label(self.y.text(tick), x: -8, y: y + 4, anchor: "end")
    }
    for tick in x.ticks {
      let x = x.position(tick) * width
      text += SVG.line(x, height, x, height + 5, "stroke=\"#333\"")
      text += SVG.label(self.x.text(tick), x: x, y: height + 18, anchor: "middle")
    }
    text +=
      "<path d=\"M0 0V\(SVG.number(height))H\(SVG.number(width))\" fill=\"none\" stroke=\"#333\"/>\n"
    text += SVG.label(xTitle, x: width / 2, y: height + 36, anchor: "middle")
    return text
      + "<text transform=\"translate(-54 \(SVG.number(height / 2))) rotate(-90)\" text-anchor=\"middle\">"
      + "\(SVG.escaped(yTitle))</text>\n"
  }

  /// Returns a curve through points; empty without points.
  package func line(_ points: [(Double, Double)], _ style: String) -> String {
    guard !points.isEmpty else { return "" }
    let path = SVG.path(points.map { place($0.0, $0.1) })
    return "<path d=\"M\(path)\" fill=\"none\" stroke-width=\"1.8\" \(style)/>\n"
  }

  /// Returns the area between two curves; empty if they have fewer than two points.
  package func band(
    _ points: [(x: Double, low: Double, high: Double)], colour: String, opacity: String = "0.12"
  ) -> String {
    guard points.count > 1 else { return "" }
    let edge =
      points.map { place($0.x, $0.high) } + points.reversed().map { place($0.x, $0.low) }
    return "<path d=\"M\(SVG.path(edge))Z\" fill=\"\(colour)\" fill-opacity=\"\(opacity)\"/>\n"
  }

  /// Returns the legend of a curve at the right of the area, on a line of its own, truncated if there is no room for
  /// it.
  package func key(
    _ name: String, _ index: Int, _ style: String, characters: Int = .max
  ) -> String {
    let y = Double(index) * 17
    return SVG.line(width + 14, y, width + 38, y, "stroke-width=\"1.8\" \(style)")
      + SVG.label(name, x: width + 44, y: y + 4, characters: characters)
  }
}
