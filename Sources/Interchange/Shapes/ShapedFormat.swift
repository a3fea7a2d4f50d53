import Specifications

/// A format whose records have shapes.
protocol ShapedFormat: FieldFormat where Reader == ShapedReader {
  /// The shapes of its records, the most usual one last; the first whose conditions hold counts.
  static var shapes: [RecordShape] { get }
}

extension ShapedFormat {
  public func makeReader(_ input: ImportInput) -> ShapedReader { ShapedReader(Self.shapes) }

  /// The mapping that makes of its records what the format does.
  fileprivate static var mapping: String {
    let head = [
      "# What --format \(info.name) does, as a mapping: copy it and change what your records have otherwise,",
      "# then bandolier import FILE --map MAPPING.yaml. Of a table, delete the lines of columns that it lacks.",
      "# The fields of conditions are no attributes here.",
    ]
    let others = shapes.dropLast().flatMap { shape in
      let asked = shape.conditions.map { "\($0.isWanted ? "with" : "without") \($0.field.text)" }
      return ["", "# For records \(asked.joined(separator: ", ")), in place of the lines above:"]
        + ShapeMapping(shape).lines.map { "# \($0)" }
    }
    let usual = shapes.last.map { ShapeMapping($0).lines } ?? []
    return (head + usual + others).map { $0 + "\n" }.joined()
  }
}

extension FormatCatalog {
  /// Returns the mapping that does what a format does; nil if no mapping can.
  package func mapping(of name: String) -> String? {
    (formats.first { $0.info.name == name } as? any ShapedFormat.Type)?.mapping
  }
}
