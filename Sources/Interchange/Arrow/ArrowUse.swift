internal import Arrow
internal import Events
internal import Specifications

/// The use of a column's values, and the types it can then have: the table of every type and use, for
/// tables of events and for mapped ones.
///
/// A mapped column is read as one of CSV is, so that a number, a time, a truth value or a list may also be a text.
enum ArrowUse {
  /// A unit, an id or a name.
  case text
  case number
  case time
  case flag
  /// Names in a list.
  case texts
  /// Numbers in a list.
  case numbers
  /// Several attributes.
  case attributes

  /// Creates the use of what a field of events holds; nil for a kind, a status and JSON, which are texts of few forms.
  init?(_ content: EventFieldRow.Content) {
    switch content {
    case .name, .text: self = .text
    case .number: self = .number
    case .time: self = .time
    case .flag: self = .flag
    case .texts: self = .texts
    case .probabilities: self = .numbers
    case .features: self = .attributes
    case .kind, .status, .json, .attributes, .value: return nil
    }
  }

  /// The types as they differ in use.
  private enum Role {
    case null, flag, number, duration, text, instant, timeOfDay, record, unsupported
    case list(of: ArrowType)
  }

  private static func role(_ type: ArrowType) -> Role {
    switch type {
    case .null: .null
    case .boolean: .flag
    case .integer, .floatingPoint, .decimal: .number
    case .duration: .duration
    case .text, .textView, .binary, .binaryView, .fixedSizeBinary: .text
    case .date32, .date64, .timestamp: .instant
    case .time: .timeOfDay
    case .list(let field, _), .fixedSizeList(let field, _): .list(of: field.type)
    case .structure, .map: .record
    case .other: .unsupported
    }
  }

  /// Returns whether a column of a type can be used so. Nulls can: they are absent.
  func accepts(_ type: ArrowType, isMapped: Bool = false) -> Bool {
    switch (self, Self.role(type)) {
    case (_, .unsupported): false
    case (_, .null): true
    case (.text, .flag), (.text, .number), (.text, .text), (.text, .instant), (.text, .timeOfDay):
      true
    case (.number, .number), (.number, .duration): true
    case (.time, .number), (.time, .text), (.time, .instant): true
    case (.flag, .flag): true
    case (.flag, .number): isMapped
    case (.texts, .list(let element)): ArrowUse.text.accepts(element)
    case (.numbers, .list(let element)): ArrowUse.number.accepts(element, isMapped: isMapped)
    case (.attributes, .record): true
    case (.number, .text), (.flag, .text), (.texts, .text), (.numbers, .text): isMapped
    case (.text, _), (.number, _), (.time, _), (.flag, _), (.texts, _), (.numbers, _),
      (.attributes, _):
      false
    }
  }

  /// The type that the column must have, and the remedy if it has another.
  var expected: String {
    switch self {
    case .text: "must be a text, or a number, a truth value or a date; cast it"
    case .number: "must be a number; cast it"
    case .time:
      "must be a timestamp, a date, a text or a number since 1970; cast it, or add it to a date"
    case .flag: "must be a truth value; cast it"
    case .texts: "must be a list of texts; cast it"
    case .numbers: "must be a list of numbers; cast it"
    case .attributes:
      "must be a struct or a map from the name of an attribute to its value; write a column for each attribute"
    }
  }
}

extension EventField.Plain {
  /// The use of a column that is mapped to the field; nil for any use.
  fileprivate var use: ArrowUse? {
    switch EventFieldRow.named(name).first?.content {
    // A reward or value may be a truth value, and the value of a data point anything.
    case nil, .number(.value): nil
    case let content?: ArrowUse(content) ?? .text
    }
  }
}

extension EventMapping {
  /// Checks that the mapped columns of an Arrow table have types that their fields can be read from.
  ///
  /// - Throws: ``ImportError``, which names the column, its type and its field.
  func check(_ schema: ArrowSchema, _ inputName: String) throws(ImportError) {
    for names in alternatives {
      if names.count == 1, let others = schema.others(besides: names[0]) {
        throw ImportError(.badData, "\(inputName): \(NearestName.unknown("column", names[0], among: others))")
      }
    }
    for entry in events.flatMap(\.entries) {
      guard case .plain(let field) = entry.field, let use = field.use,
        let (name, type) = entry.term?.names.lazy.compactMap({ name in schema.type(of: name).map { (name, $0) } })
          .first(where: { !use.accepts($0.1, isMapped: true) })
      else { continue }
      throw ImportError(
        .badData,
        "\(inputName): the column \"\(name.prefix(60))\" is \(type.name), and \(field.name) \(use.expected), or map "
          + "another column")
    }
  }
}

extension ArrowSchema {
  /// The fields of the struct that has no field as a name `outer.inner` says; nil if it may have one.
  fileprivate func others(besides name: String) -> [String]? {
    guard type(of: name) == nil else { return nil }
    var (place, outer) = (fields, "")
    for part in name.utf8.split(separator: UInt8(ascii: ".")) {
      guard let field = place.first(where: { $0.name.utf8.elementsEqual(part) }) else {
        return outer.isEmpty ? nil : place.map { outer + $0.name }
      }
      guard case .structure(let inner) = field.type else { return nil }
      (place, outer) = (inner, outer + field.name + ".")
    }
    return nil
  }

  /// Returns the type of a column, or of a field of a struct in one: `outer.inner`; nil if there is none.
  fileprivate func type(of name: String) -> ArrowType? {
    if let whole = fields.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      return whole.type
    }
    var (place, type): ([ArrowField], ArrowType?) = (fields, nil)
    for part in name.utf8.split(separator: UInt8(ascii: ".")) {
      guard let field = place.first(where: { $0.name.utf8.elementsEqual(part) }) else { return nil }
      type = field.type
      if case .structure(let inner) = field.type { place = inner } else { place = [] }
    }
    return type
  }
}
