extension ArrowSchema {
  /// The schema as the table `Schema` of Arrow's metadata.
  var node: FlatNode {
    .table([
      .absent, .node(.nodes(fields.map(\.node))),
      metadata.isEmpty ? .absent : .node(.nodes(metadata.map(\.node))),
    ])
  }
}

extension ArrowSchema.Metadata {
  fileprivate var node: FlatNode { .table([.node(.text(key)), .node(.text(value))]) }
}

extension ArrowField {
  fileprivate var node: FlatNode {
    let (code, type, children) = type.encoded
    return .table([
      .node(.text(name)), isNullable ? .byte(1) : .absent, .byte(code), .node(type),
      dictionary.map { .node($0.node) } ?? .absent,
      .node(.nodes(children.map(\.node))),
    ])
  }
}

extension ArrowDictionaryEncoding {
  fileprivate var node: FlatNode { .table([.long(id), .node(indexType.encoded.type)]) }
}

extension ArrowType {
  /// The number of the type in the union `Type`, its table, and the fields that it contains.
  fileprivate var encoded: (code: UInt8, type: FlatNode, children: [ArrowField]) {
    switch self {
    case .null: (1, .table([]), [])
    case .integer(let bits, let isSigned):
      (2, .table([.int(Int32(bits)), isSigned ? .byte(1) : .absent]), [])
    case .floatingPoint(let bits):
      (3, .table([.short(bits == 16 ? 0 : bits == 32 ? 1 : 2)]), [])
    case .binary(let isLarge): (isLarge ? 19 : 4, .table([]), [])
    case .text(let isLarge): (isLarge ? 20 : 5, .table([]), [])
    case .boolean: (6, .table([]), [])
    case .decimal(let bits, let scale):
      (7, .table([.int(Int32(bits == 256 ? 76 : 38)), .int(Int32(scale)), .int(Int32(bits))]), [])
    case .date32: (8, .table([.short(0)]), [])
    case .date64: (8, .table([.short(1)]), [])
    case .time(let bits, let unit): (9, .table([.short(unit.rawValue), .int(Int32(bits))]), [])
    case .timestamp(let unit, let zone):
      (10, .table([.short(unit.rawValue), zone.map { .node(.text($0)) } ?? .absent]), [])
    case .list(let field, let isLarge): (isLarge ? 21 : 12, .table([]), [field])
    case .structure(let fields): (13, .table([]), fields)
    case .fixedSizeBinary(let width): (15, .table([.int(Int32(width))]), [])
    case .fixedSizeList(let field, let count): (16, .table([.int(Int32(count))]), [field])
    case .map(let entries): (17, .table([]), [entries])
    case .duration(let unit): (18, .table([.short(unit.rawValue)]), [])
    case .binaryView: (23, .table([]), [])
    case .textView: (24, .table([]), [])
    // No writer has such a type; a null column has as many rows.
    case .other: (1, .table([]), [])
    }
  }
}
