internal import Arrow
internal import Events

/// A mapping proposed from the names of columns, for a person to check and edit.
public struct MappingSuggestion: Sendable {
  /// A field and the column proposed for it.
  public struct Line: Hashable, Sendable {
    /// The field as it is written in a mapping.
    public let field: String
    /// The column.
    public let column: String
    /// The content of the first record, shortened; nil if it is unknown.
    public let example: String?
  }

  /// The proposed fields, in the order in which mappings are usually written.
  public let lines: [Line]
  /// The fields that an event needs and no column seems to have.
  public let missing: [String]

  /// Creates a suggestion for the beginning of an input; nil if it has no named fields.
  public init?(_ sample: InputSample) {
    guard let columns = sample.paths else { return nil }
    // The column of each plain name, by the whole name first, then by the last part of a path.
    var places: [String: Int] = [:]
    for place in columns.indices.reversed() {
      places[Self.plain(Self.last(columns[place].name))] = place
    }
    for place in columns.indices.reversed() {
      places[Self.plain(columns[place].name)] = place
    }
    var used: Set<String> = []
    var lines: [Line] = []
    for (field, names) in Self.known {
      let found = names.lazy.compactMap { places[$0] }.map { columns[$0] }
        .first { !used.contains($0.name) }
      guard let found else { continue }
      used.insert(found.name)
      lines.append(Line(field: field, column: found.name, example: found.example))
    }
    let hasVariant = lines.contains { $0.field == "variant" }
    missing = ["time", "unit", "variant"].filter { field in
      !lines.contains { $0.field == field } && !(field == "variant" && Self.hasGoal(lines))
    }
    let list = hasVariant ? "context" : "metadata"
    var names: Set<String> = []
    for column in columns where !column.name.isEmpty && used.insert(column.name).inserted {
      let name = Self.attribute(column.name, besides: &names)
      lines.append(Line(field: "\(list).\(name)", column: column.name, example: column.example))
    }
    self.lines = lines
  }

  /// Returns the name of an attribute for a column: its own, without the signs that end the name in a mapping.
  private static func attribute(_ column: String, besides names: inout Set<String>) -> String {
    var name = String.UnicodeScalarView()
    for scalar in column.unicodeScalars {
      name.append("=:".unicodeScalars.contains(scalar) ? "_" : scalar)
    }
    while !names.insert(String(name)).inserted { name.append("_") }
    return String(name)
  }

  private static func hasGoal(_ lines: [Line]) -> Bool { lines.contains { $0.field == "goal" } }

  /// The names by which each field is known, most telling first, in lower case without `_`, `-` and spaces.
  private static let known: [(field: String, names: [String])] = [
    (
      "time",
      [
        "timestamp", "time", "eventtime", "ts", "datetime", "createdat", "assignedat", "exposedat",
        "eventtimestamp", "receivedat", "date", "day",
      ]
    ),
    (
      "unit",
      [
        "userid", "user", "visitorid", "anonymousid", "customerid", "deviceid", "subject", "unit",
        "unitid", "visitor", "clientid", "distinctid", "sessionid", "session", "uid",
      ]
    ),
    ("id", ["eventid", "messageid", "insertid", "uuid", "id"]),
    (
      "experiment",
      [
        "experimentid", "experiment", "experimentname", "testid", "test", "flagkey", "flag",
        "campaign",
      ]
    ),
    ("slot", ["slot", "position", "placement"]),
    (
      "variant",
      [
        "variationid", "variantid", "variant", "variation", "variationname", "arm", "treatment",
        "group", "bucket", "action", "itemid",
      ]
    ),
    (
      "propensity",
      [
        "propensity", "propensityscore", "actionprob", "actionprobability", "probability", "prob",
        "pscore",
      ]
    ),
    ("policy", ["policy", "policyname", "modelversion"]),
    ("goal", ["goal", "goalid", "eventname", "event", "eventtype"]),
    ("reward", ["reward", "click", "clicked", "converted", "conversion", "outcome"]),
    ("revenue", ["revenue", "amount", "total", "price"]),
    ("value", ["value", "eventvalue"]),
  ]

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "$" }
  }

  private static func last(_ path: String) -> String {
    path.split(separator: ".").last.map(String.init) ?? path
  }

  /// The mapping as a YAML file for `--map`, with the first record's content as comments.
  public var yaml: String {
    var text = "# A proposal from the names of the columns: check each line.\n"
    for name in missing { text += "# \(name): no column seems to be the \(name)\n" }
    for line in lines {
      text += "\(Self.scalar(line.field)): \(Self.scalar(line.column))"
      if let example = line.example { text += "  # \(example)" }
      text += "\n"
    }
    return text
  }

  /// Returns a text as a YAML scalar, in quotes if it needs them.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
      && text.first?.isLetter == true
      && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    guard !isPlain else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case let scalar where Self.isControl(scalar):
        quoted += "\\u" + UInt16(truncatingIfNeeded: scalar.value).hexadecimal
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Whether YAML does not allow a character, or takes it for the end of a line.
  fileprivate static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}

extension InputSample {
  /// The names of the columns, or the paths of the fields of the first JSON object, with their content; nil if the
  /// input has neither.
  var paths: [(name: String, example: String?)]? {
    if isArrow { return arrowPaths.map { (name: $0, example: nil) } }
    if let columns { return columns.map { (name: $0, example: nil) } }
    guard let fields else { return nil }
    var found: [(name: String, example: String?)] = []
    Self.add(fields.root, prefix: "", fields, to: &found)
    return found
  }

  private static func add(
    _ object: FieldTree.Field, prefix: String, _ fields: FieldTree,
    to found: inout [(name: String, example: String?)]
  ) {
    for member in fields.children(of: object) {
      let name = prefix + String(decoding: fields.name(of: member), as: UTF8.self)
      if fields.isObject(member) {
        add(member, prefix: name + ".", fields, to: &found)
      } else {
        found.append((name: name, example: example(fields.text(member))))
      }
    }
  }
}

extension InputSample {
  /// Returns up to 40 characters of a text on one line.
  private static func example(_ text: ArraySlice<UInt8>) -> String {
    var example = String.UnicodeScalarView()
    for scalar in String(decoding: text.prefix(160), as: UTF8.self).unicodeScalars.prefix(40) {
      example.append(MappingSuggestion.isControl(scalar) ? " " : scalar)
    }
    return String(example)
  }
}

extension Importer {
  /// Returns the beginning of a file, or of standard input, without importing it.
  ///
  /// - Throws: ``ImportError``.
  public func sample(_ path: String) throws(ImportError) -> InputSample {
    var bytes = try opened(path, recorder: nil)
    if let schema = try ArrowInput.schema(&bytes) { return InputSample(schema) }
    let line = try FirstLine.read(&bytes)
    return InputSample(line: line, text: try FirstLine.extended(line, &bytes))
  }
}
