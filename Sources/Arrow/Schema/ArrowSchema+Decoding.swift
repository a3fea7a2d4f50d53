extension ArrowSchema {
  /// The deepest nesting of types.
  private static var deepest: Int { 32 }
  /// The most bytes of all remarks.
  private static var mostRemarks: Int { 16 << 20 }
  /// The most fields, nested ones included.
  private static var mostFields: Int { 10_000 }

  /// Reads the table `Schema` of Arrow's metadata.
  ///
  /// - Throws: ``ArrowError``.
  init(_ table: FlatTable) throws(ArrowError) {
    guard try table.integer(0, default: Int16(0)) == 0 else {
      throw ArrowError(.unsupported, "the stream is big-endian; write it on another machine")
    }
    var left = Self.mostFields
    var fields: [ArrowField] = []
    for field in try table.tables(1, limit: left) {
      fields.append(try Self.field(field, depth: 0, &left))
    }
    self.fields = fields
    metadata = []
    left = Self.mostRemarks
    for entry in try table.tables(2, limit: Self.mostFields) {
      let key = try entry.text(0) ?? ""
      let value = try entry.text(1, limit: left) ?? ""
      left -= min(left, key.utf8.count + value.utf8.count)
      metadata.append(Metadata(key: key, value: value))
    }
  }

  private static func field(
    _ table: FlatTable, depth: Int, _ left: inout Int
  ) throws(ArrowError) -> ArrowField {
    left -= 1
    guard depth < deepest, left >= 0 else {
      throw ArrowError(
        .tooLarge,
        "its columns are nested more than \(deepest) levels deep, or there are more than "
          + "\(mostFields)")
    }
    let name = try table.text(0) ?? ""
    var children: [ArrowField] = []
    for child in try table.tables(5, limit: max(0, left)) {
      children.append(try field(child, depth: depth + 1, &left))
    }
    do throws(ArrowError) {
      guard let type = try table.table(3) else { throw ArrowError(.malformed, "it has no type") }
      var field = ArrowField(
        name, try ArrowType(code: table.integer(2, default: UInt8(0)), type, children),
        isNullable: try table.flag(1))
      if let encoding = try table.table(4) {
        let index =
          try encoding.table(1).map { (table) throws(ArrowError) in
            try ArrowType(code: 2, table, [])
          } ?? .int32
        field.dictionary = ArrowDictionaryEncoding(
          id: try encoding.integer(0, default: Int64(0)), indexType: index)
      }
      for entry in try table.tables(6, limit: mostFields) where try entry.text(0) == "ARROW:extension:name" {
        field.isUUID = try entry.text(1) == "arrow.uuid" && field.type == .fixedSizeBinary(width: 16)
      }
      return field
    } catch {
      throw error.at("column \"\(name.prefix(60))\"")
    }
  }
}

extension ArrowType {
  /// Reads the table of a type by its number in the union `Type`.
  fileprivate init(
    code: UInt8, _ table: FlatTable, _ children: [ArrowField]
  ) throws(ArrowError) {
    switch code {
    case 1: self = .null
    case 2:
      let bits = Int(try table.integer(0, default: Int32(0)))
      guard [8, 16, 32, 64].contains(bits) else { throw Self.invalid("integers of \(bits) bits") }
      self = .integer(bits: bits, isSigned: try table.flag(1))
    case 3:
      switch try table.integer(0, default: Int16(0)) {
      case 0: self = .floatingPoint(bits: 16)
      case 1: self = .floatingPoint(bits: 32)
      case 2: self = .floatingPoint(bits: 64)
      default: throw Self.invalid("floating-point numbers of another precision")
      }
    case 4: self = .binary(isLarge: false)
    case 5: self = .text(isLarge: false)
    case 6: self = .boolean
    case 7:
      let bits = Int(try table.integer(2, default: Int32(128)))
      guard [32, 64, 128, 256].contains(bits) else {
        throw Self.invalid("decimals of \(bits) bits")
      }
      self = .decimal(bits: bits, scale: Int(try table.integer(1, default: Int32(0))))
    case 8: self = try table.integer(0, default: Int16(1)) == 0 ? .date32 : .date64
    case 9:
      let bits = Int(try table.integer(1, default: Int32(32)))
      guard [32, 64].contains(bits) else { throw Self.invalid("times of \(bits) bits") }
      self = .time(bits: bits, unit: try Self.unit(table, default: 1))
    case 10: self = .timestamp(try Self.unit(table, default: 0), zone: try table.text(1))
    case 18: self = .duration(try Self.unit(table, default: 1))
    case 19: self = .binary(isLarge: true)
    case 20: self = .text(isLarge: true)
    case 23: self = .binaryView
    case 24: self = .textView
    default: self = try Self.nested(code, table, children)
    }
  }

  private static func nested(
    _ code: UInt8, _ table: FlatTable, _ children: [ArrowField]
  ) throws(ArrowError) -> ArrowType {
    switch code {
    case 12, 21: return .list(try only(children), isLarge: code == 21)
    case 13: return .structure(children)
    case 15:
      let width = Int(try table.integer(0, default: Int32(0)))
      guard width >= 0 else { throw invalid("byte strings of a negative length") }
      return .fixedSizeBinary(width: width)
    case 16:
      let count = Int(try table.integer(0, default: Int32(0)))
      guard count >= 0 else { throw invalid("lists of a negative length") }
      return .fixedSizeList(try only(children), count: count)
    case 17:
      let entries = try only(children)
      guard case .structure(let fields) = entries.type, fields.count == 2,
        entries.dictionary == nil
      else { throw invalid("a map whose entries are not pairs") }
      return .map(entries)
    default:
      let names: [UInt8: String] = [
        11: "interval", 14: "union", 22: "run_end_encoded", 25: "list_view", 26: "large_list_view",
      ]
      guard let name = names[code] else { throw invalid("the unknown type \(code)") }
      return .other(name)
    }
  }

  private static func unit(
    _ table: FlatTable, default value: Int16
  ) throws(ArrowError) -> ArrowTimeUnit {
    guard let unit = ArrowTimeUnit(rawValue: try table.integer(0, default: value)) else {
      throw invalid("an unknown unit of time")
    }
    return unit
  }

  private static func only(_ children: [ArrowField]) throws(ArrowError) -> ArrowField {
    guard children.count == 1 else { throw invalid("lists of \(children.count) fields") }
    return children[0]
  }

  private static func invalid(_ what: String) -> ArrowError {
    ArrowError(.malformed, "its type is not valid: \(what)")
  }
}
