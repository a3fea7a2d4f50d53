/// How the curves of a plot are told apart.
package enum PlotStyle {
  /// M. Okabe and K. Ito's colours, which people who are colour-blind tell apart (2008).
  private static let colours = [
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#B8A900",
  ]

  /// The colour of a curve, by its number from 0 on; after the last one they begin again.
  package static func colour(_ index: Int) -> String { colours[index % colours.count] }

  /// The attributes of a curve's line. Beyond as many curves as colours the dashes differ.
  package static func stroke(_ index: Int) -> String {
    let dashes = ["", "7 3", "2 2", "9 3 2 3"][(index / colours.count) % 4]
    let colour = "stroke=\"\(colour(index))\""
    return dashes.isEmpty ? colour : colour + " stroke-dasharray=\"\(dashes)\""
  }

  /// The attributes of a line that is no curve but something to compare with.
  package static let reference = "stroke=\"#777\" stroke-dasharray=\"2 4\""
}
