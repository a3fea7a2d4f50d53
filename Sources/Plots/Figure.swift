/// A plot that belongs to a report: an SVG with a name, a title and a description.
public struct Figure: Sendable, Equatable {
  /// The name in snake_case, unique in its report: that of the file without extension.
  public let name: String

  /// The title, one line.
  public let title: String

  /// What the plot shows, in words: how to read bands, bars and marks, for those who see it and those who do not.
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
}
