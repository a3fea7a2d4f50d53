internal import Arrow
internal import Events
internal import Specifications

/// A mapping proposed from the names of columns, for a person to check and edit.
package struct MappingSuggestion: Sendable {
  /// A field and what is proposed for it.
  package struct Line: Hashable, Sendable {
    /// The field as it is written in a mapping; that of a second event of a row begins with `2.`.
    package let field: String
    /// The column, or a text that is the same in all rows.
    package private(set) var source: EventMapping.Source
    /// The content of the first record that has any, shortened; nil if it is unknown.
    package let example: String?
    /// A point to check; nil if there is none.
    package internal(set) var note: String?

    init(field: String, source: EventMapping.Source, example: String?) {
      (self.field, self.source, self.example) = (field, source, example)
    }

    init(field: String, _ column: SampledColumn) {
      let isInCents = field.hasSuffix("revenue") && ColumnWords(column.name).isInCents
      self.init(
        field: field, source: .column(column.name + (isInCents ? " / 100" : "")), example: column.example)
    }

    /// Takes another column where the first has no content.
    mutating func add(_ column: SampledColumn) {
      note = "\(column.name) where \(self.column) is empty: check that both are ids of the same kind of unit"
      source = .column("\(self.column)|\(column.name)")
    }

    /// The column, or the text.
    package var column: String {
      switch source {
      case .column(let text), .constant(let text): text
      }
    }

    /// Whether it is a column, and not a text that is the same in all rows.
    var isColumn: Bool {
      if case .column = source { true } else { false }
    }

    /// The line as an entry of a mapping: `unit=user_id`, `2.type:=conversion`.
    package var entry: String { source.argument(of: field) }
  }

  /// The proposed fields, in the order in which mappings are usually written.
  package let lines: [Line]
  /// The fields that an event needs and no column seems to have.
  package let missing: [String]
  /// The columns that are left out.
  package let leftOut: [LeftOut]

  /// A column that is left out, and why.
  package struct LeftOut: Hashable, Sendable {
    /// The name of the column.
    package let column: String
    /// Its meaning.
    package let reason: String
  }

  /// Creates a suggestion for the beginning of an input; nil if it has no named fields.
  package init?(_ sample: InputSample) {
    guard let columns = sample.paths else { return nil }
    let events = SuggestedEvents(columns)
    let lines = events.lines
    leftOut = events.leftOut
    missing = ["time", "unit", "variant"].filter { field in
      !lines.contains { $0.field == field || (field == "variant" && $0.field == "goal") }
    }
    self.lines = lines
  }

  /// The mapping as a YAML file for `--map`, with the first record's content as comments.
  package var yaml: String {
    var text = "# A proposal from the names of the columns: check each line.\n"
    for name in missing {
      text += "# \(name): no column seems to be the \(name)\(reason(for: name))\n"
    }
    var hasContext = false
    for line in lines {
      if line.field.hasPrefix("context."), !hasContext {
        text += "# context is what was known at the assignment: delete what came later\n"
        hasContext = true
      }
      if let note = line.note { text += "# \(note)\n" }
      text += "\(MappingText.key(line.field)): \(MappingText.scalar(line.source))"
      if let example = line.example { text += "  # \(example)" }
      text += "\n"
    }
    for column in leftOut {
      text += "# left out, \(column.reason): \(MappingText.scalar(column.column))\n"
    }
    return text
  }

  /// Returns why no column is taken for a field that an event needs.
  private func reason(for field: String) -> String {
    let times = lines.filter { $0.field.hasSuffix(".time") && $0.isColumn }.map {
      MappingText.scalar($0.column)
    }
    guard field == "time", !times.isEmpty else { return "" }
    return " of the assignment, and \(times.distinctNames.joined(separator: ", ")) is that of an outcome"
  }

  /// Whether YAML does not allow a character, or takes it for the end of a line.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}

extension InputSample {
  /// The columns, or the fields of the first JSON object by their paths, with what the first records have in them as
  /// far as they were read; nil if the input has neither.
  var paths: [SampledColumn]? {
    if let sampled { return sampled }
    if isArrow { return arrowPaths.map { SampledColumn($0) } }
    if let columns { return columns.map { SampledColumn($0) } }
    guard let fields else { return nil }
    var found: [SampledColumn] = []
    Self.add(fields.root, prefix: "", fields, to: &found)
    return found
  }

  private static func add(
    _ object: FieldTree.Field, prefix: String, _ fields: FieldTree,
    to found: inout [SampledColumn]
  ) {
    for member in fields.children(of: object) {
      let name = prefix + String(decoding: fields.name(of: member), as: UTF8.self)
      if fields.isObject(member) {
        add(member, prefix: name + ".", fields, to: &found)
      } else {
        found.append(SampledColumn(name, example: example(fields.text(member))))
      }
    }
  }

  /// Returns up to 40 characters of a text on one line.
  static func example(_ text: ArraySlice<UInt8>) -> String {
    var example = String.UnicodeScalarView()
    for scalar in String(decoding: text.prefix(160), as: UTF8.self).unicodeScalars.prefix(40) {
      example.append(MappingSuggestion.isControl(scalar) ? " " : scalar)
    }
    return String(example)
  }
}

extension Importer {
  /// Returns the beginning of a file, or of standard input, without importing it: its first line, and of a table what
  /// its first records have in each column.
  ///
  /// - Throws: ``ImportError``.
  public func sample(_ path: String) throws(ImportError) -> InputSample {
    var bytes = try opened(path, recorder: nil)
    var sample = try Self.sample(&bytes)
    if let columns = sample.paths { sample.sampled = try ColumnSampler.columns(of: bytes, columns) }
    return sample
  }

  /// Returns the beginning of an input, without consuming any of it.
  static func sample(_ bytes: inout ByteSource) throws(ImportError) -> InputSample {
    if let schema = try ArrowInput.schema(&bytes) { return InputSample(schema) }
    let line = try FirstLine.read(&bytes)
    return InputSample(line: line, text: try FirstLine.extended(line, &bytes))
  }
}
