/// The colours and dashes that distinguish curves.
package enum PlotStyle {
  /// The colour-blind safe palette of M. Okabe and K. Ito (2008).
  private static let colours = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#B8A900",
  ]

  /// Returns the colour of a curve by its index, repeating after the last.
  package static func colour(_ index: Int) -> String { colours[index % colours.count] }

  /// Returns the attributes of a curve's line. Beyond the number of colours the dashes differ.
  package static func stroke(_ index: Int) -> String {
    let dashes = ["", "7 3", "2 2", "9 3 2 3"][(index / colours.count) % 4]
    let colour = "stroke=\"\(colour(index))\""
    return dashes.isEmpty ? colour : colour + " stroke-dasharray=\"\(dashes)\""
  }

  /// The attributes of a reference line.
  package static let reference = "stroke=\"#777\" stroke-dasharray=\"2 4\""
}
