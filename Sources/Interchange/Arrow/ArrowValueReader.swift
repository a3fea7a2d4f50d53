internal import Arrow
internal import Events

/// Converts values of Arrow columns to parts of events.
struct ArrowValueReader {
  private var fieldTimes = FieldTimes()

  /// Returns the text of a row that is not null; empty for a column without texts.
  static func text(_ column: ArrowColumn, _ row: Int) -> ArraySlice<UInt8> {
    guard let dictionary = column.dictionary else { return column.bytes(row) }
    let (part, place) = dictionary.find(Int(column.integer(row)))
    return part.isNull(place) ? [] : part.bytes(place)
  }

  /// Adds a text, or a number as text, to an event.
  func add(_ column: ArrowColumn, _ row: Int, to event: inout EventRecord) -> EventRecord.Slice {
    if let dictionary = column.dictionary {
      let (part, place) = dictionary.find(Int(column.integer(row)))
      return part.isNull(place) ? event.add([]) : add(part, place, to: &event)
    }
    switch column.field.type {
    case .text, .textView: return event.add(column.bytes(row))
    default:
      let start = event.bytes.count
      ArrowText.append(column, row, to: &event.bytes)
      return EventRecord.Slice(start: start, count: event.bytes.count - start)
    }
  }

  /// Returns a number.
  func number(_ column: ArrowColumn, _ row: Int) throws(Rejection) -> Double {
    if let dictionary = column.dictionary {
      let (part, place) = dictionary.find(Int(column.integer(row)))
      guard !part.isNull(place) else { throw Rejection(.number, "a number is null") }
      return try number(part, place)
    }
    let number: Double
    switch column.field.type {
    case .floatingPoint: number = column.number(row)
    case .integer(bits: 64, isSigned: false):
      number = Double(UInt64(bitPattern: column.integer(row)))
    case .integer: number = Double(column.integer(row))
    default:
      var text: [UInt8] = []
      ArrowText.append(column, row, to: &text)
      number = NumberText.double(text.span) ?? .nan
    }
    guard number.isFinite else {
      throw Rejection(
        .number, "the column \"\(column.field.name.prefix(40))\" must be a finite number, or null")
    }
    return number
  }

  /// Returns a time.
  mutating func time(_ column: ArrowColumn, _ row: Int) throws(Rejection) -> Timestamp {
    if let time = ArrowText.time(column, row) { return time }
    switch column.field.type {
    case .timestamp, .date32, .date64:
      throw Rejection(
        .time, "the time \(column.integer(row)) lies outside of the years 0001 to 9999")
    default: return try fieldTimes.read(column, row)
    }
  }

  /// Calls the closure with the column and the row of each element of a list.
  ///
  /// - Throws: ``Rejection`` if an element is null, and errors of the closure.
  func list(
    _ column: ArrowColumn, _ row: Int,
    _ body: (ArrowColumn, Int) throws(Rejection) -> Void
  ) throws(Rejection) {
    guard let items = column.children.first else { return }
    for item in column.elements(row) {
      guard !items.isNull(item) else {
        throw Rejection(
          .event, "the list \"\(column.field.name.prefix(40))\" has null among its elements")
      }
      try body(items, item)
    }
  }

  // MARK: Attributes

  /// Returns an attribute.
  func attribute(
    _ name: [UInt8], _ column: ArrowColumn, _ row: Int, in event: inout EventRecord
  ) throws(Rejection) -> EventRecord.Attribute {
    let value = try value(column, row, in: &event)
    return EventRecord.Attribute(name: event.add(name[...]), value: value)
  }

  /// Returns the value of an attribute or data point.
  ///
  /// - Throws: ``Rejection`` if it is not a number, a text, a truth value or a time.
  func value(
    _ column: ArrowColumn, _ row: Int, in event: inout EventRecord
  ) throws(Rejection) -> EventRecord.Value {
    if let dictionary = column.dictionary {
      let (part, place) = dictionary.find(Int(column.integer(row)))
      guard !part.isNull(place) else { return .text(event.add([])) }
      return try value(part, place, in: &event)
    }
    switch column.field.type {
    case .boolean: return .flag(column.flag(row))
    case .integer(bits: 64, isSigned: false) where column.integer(row) < 0:
      return .text(add(column, row, to: &event))
    case .integer, .duration:
      let integer = column.integer(row)
      return integer.magnitude > 1 << 53 ? .integer(integer) : .number(Double(integer))
    case .floatingPoint, .decimal: return .number(try number(column, row))
    case .text, .textView, .date32, .date64, .timestamp, .time:
      return .text(add(column, row, to: &event))
    default:
      throw Rejection(
        .event,
        "the column \"\(column.field.name.prefix(40))\" is \(column.field.type.name); an attribute is a number, a "
          + "text or a truth value")
    }
  }

  /// Returns the attributes of a struct or map.
  func attributes(
    _ column: ArrowColumn, _ row: Int, in event: inout EventRecord
  ) throws(Rejection) -> [EventRecord.Attribute] {
    var attributes: [EventRecord.Attribute] = []
    if case .map = column.field.type {
      let entries = column.children[0].children
      for entry in column.elements(row) where !entries[1].isNull(entry) {
        var name: [UInt8] = []
        ArrowText.append(key: entries[0], entry, to: &name)
        attributes.append(try attribute(name, entries[1], entry, in: &event))
      }
    } else {
      for child in column.children where !child.isNull(row) {
        attributes.append(
          try attribute(Array(child.field.name.utf8), child, row, in: &event))
      }
    }
    return attributes
  }

  /// Adds the features of a decision: a map from the variant, or a struct with a field for each variant.
  func features(
    _ column: ArrowColumn, _ row: Int, _ event: inout EventRecord
  ) throws(Rejection) {
    event.hasFeatures = true
    if case .map = column.field.type {
      let entries = column.children[0].children
      for entry in column.elements(row) {
        var name: [UInt8] = []
        ArrowText.append(key: entries[0], entry, to: &name)
        try group(name, entries[1], entry, &event)
      }
    } else {
      for child in column.children where !child.isNull(row) {
        try group(Array(child.field.name.utf8), child, row, &event)
      }
    }
    var names: Set<ArraySlice<UInt8>> = []
    for group in event.featureGroups where !names.insert(event.bytes[group.variant.range]).inserted
    {
      throw Rejection(
        .event, "the features of \"\(event.string(group.variant)?.prefix(40) ?? "")\" occur twice")
    }
  }

  private func group(
    _ name: [UInt8], _ column: ArrowColumn, _ row: Int, _ event: inout EventRecord
  ) throws(Rejection) {
    let attributes = column.isNull(row) ? [] : try attributes(column, row, in: &event)
    try Self.requireDistinct(attributes, event)
    event.featureGroups.append(
      EventRecord.FeatureGroup(variant: event.add(name[...]), count: attributes.count))
    event.features += attributes
  }

  /// Checks that no two attributes have the same name.
  static func requireDistinct(
    _ attributes: [EventRecord.Attribute], _ event: EventRecord
  ) throws(Rejection) {
    guard attributes.count > 1 else { return }
    var names: Set<ArraySlice<UInt8>> = []
    for attribute in attributes where !names.insert(event.bytes[attribute.name.range]).inserted {
      throw Rejection(
        .event, "the attribute \"\(event.string(attribute.name)?.prefix(40) ?? "")\" occurs twice")
    }
  }
}

extension FieldTimes {
  /// Returns the time in a row of texts or numbers since 1970.
  mutating func read(_ column: ArrowColumn, _ row: Int) throws(Rejection) -> Timestamp {
    var tree = FieldTree()
    var time: [UInt8] = []
    ArrowText.append(key: column, row, to: &time)
    var text = [UInt8(ascii: "{")]
    JSONBytes.append(key: "time", time, to: &text)
    text.append(UInt8(ascii: "}"))
    try tree.fill(json: text.span)
    return try read(tree.find("time"), of: tree)
  }
}
