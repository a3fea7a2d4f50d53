/// A plot that belongs to a report: an SVG with a name, a title and a description.
public struct Figure: Sendable, Equatable {
  /// The name in snake_case, unique in its report: that of the file without extension.
  public let name: String

  /// The title, one line.
  public let title: String

  /// A description of the plot in words: how to read bands, bars and marks, for those who see it and those who do not.
  public let description: String

  /// The whole SVG file, with title and description in it.
  public let svg: String

  /// Creates a figure.
  ///
  /// - Parameters:
  ///   - name: The name in snake_case.
  ///   - title: The title.
  ///   - description: What the plot shows.
  ///   - svg: The whole SVG file.
  public init(name: String, title: String, description: String, svg: String) {
    (self.name, self.title, self.description, self.svg) = (name, title, description, svg)
  }

  /// Returns the files of figures that one path was given for: `plot.svg`, and `plot_2.svg` and so on for further ones.
  ///
  /// - Parameters:
  ///   - figures: The figures.
  ///   - path: The path of the first one.
  /// - Returns: The path and text of each file.
  public static func files(
    _ figures: [Figure], path: String
  ) -> [(path: String, text: String)] {
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    var end = path.endIndex
    // A dot at the beginning of a name hides the file.
    if let dot = path[start...].lastIndex(of: "."), dot > start { end = dot }
    return figures.enumerated().map { index, figure in
      (index == 0 ? path : "\(path[..<end])_\(index + 1)\(path[end...])", figure.svg)
    }
  }
}
