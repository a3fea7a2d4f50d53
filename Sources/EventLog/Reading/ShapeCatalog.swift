internal import Events

/// The shapes of a log, read as those of contexts and metadata, or as those of features: whether each can be read, and
/// how many values its rows have.
struct ShapeCatalog: Sendable {
  /// Shapes that cannot be read, or whose names were lost.
  static let unreadable: UInt8 = 1
  /// Shapes with an attribute, or a variant, whose name was erased or lost.
  static let unnamed: UInt8 = 2
  /// The code that says that the attributes are stored in the frame themselves.
  static let literal: UInt8 = 4

  private let names: LogNames
  private let role: AttributeRole
  private let isWhole: Bool
  /// By code of the shape, its defects.
  private(set) var marks: [UInt8]
  /// By code of the shape, the number of values of a row.
  private(set) var valueCounts: [Int32]

  /// Reads all shapes of a log as those of a role.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - names: The names of its shapes and attributes, and of its variants for features.
  ///   - role: The owner of the attributes.
  ///   - body: Receives each shape that can be read, with its code, in ascending order of the codes.
  /// - Complexity: O(length of the log's shapes).
  init(
    _ log: LogReader, _ names: LogNames, _ role: AttributeRole,
    _ body: (UInt32, AttributeShape) -> Void
  ) {
    self.names = names
    self.role = role
    // If damage is skipped, names may be lost that no frame left room for.
    isWhole = log.policy == .strict
    let limit = Int(log.codeLimit(.shapes))
    marks = Array(repeating: 0, count: limit)
    valueCounts = Array(repeating: 0, count: limit)
    marks[Int(Vocabulary.literalCode)] = Self.literal
    for code in Int(Vocabulary.literalCode) + 1..<limit {
      guard let shape = try? shape(UInt32(code)) else {
        marks[code] = Self.unreadable
        continue
      }
      valueCounts[code] = Int32(clamping: shape.valueCount)
      if unnamed(in: shape, role) != nil { marks[code] = Self.unnamed }
      body(UInt32(code), shape)
    }
  }

  /// Returns a shape.
  ///
  /// - Throws: ``ColumnError`` if it was lost or cannot be read.
  func shape(_ code: UInt32) throws(ColumnError) -> AttributeShape {
    guard let text = names.bytes(code, in: .shapes) else {
      throw ColumnError("it is lost, and with it where values belong")
    }
    guard text.count <= Vocabulary.shapes.longestText else {
      throw ColumnError("longer than a shape may be")
    }
    return try AttributeShape(
      text, role: role, attributeLimit: isWhole ? names.codeLimit(.attributes) : .max,
      variantLimit: isWhole ? names.codeLimit(.variants) : .max)
  }

  /// Returns the first variant or attribute of a shape whose name was erased or lost, as its column and code.
  func firstUnnamed(
    _ code: UInt32, _ role: AttributeRole
  ) -> (column: ColumnID, code: UInt32)? {
    (try? shape(code)).flatMap { unnamed(in: $0, role) }
  }

  private func unnamed(
    in shape: AttributeShape, _ role: AttributeRole
  ) -> (column: ColumnID, code: UInt32)? {
    for group in shape.groups {
      if role == .features, names.bytes(group.variant, in: .variants) == nil {
        return (.features, group.variant)
      }
      for field in group.fields where names.bytes(field.name, in: .attributes) == nil {
        return (.attribute(role, field.type), field.name)
      }
    }
    return nil
  }
}

/// The shapes of the rows of a frame. A thread reuses the memory from frame to frame.
struct ShapeRows {
  /// For each row the code of its shape, or the type of its value.
  var codes: [UInt32] = []
  /// By code, the number of rows. 0 for codes that are not in ``met``.
  private(set) var counts: [Int]
  /// The codes that occur.
  private(set) var met: [UInt32] = []
  /// The attributes of the rows that store them in the frame itself, in order.
  var literals = TextList()

  /// Creates empty rows.
  ///
  /// - Parameter limit: The exclusive upper bound of the codes.
  init(limit: Int = 0) { counts = Array(repeating: 0, count: limit) }

  /// Reads and validates the shapes of the rows of a role.
  ///
  /// - Returns: The rows to hide, because a name in their shape was erased or lost.
  /// - Throws: ``LogError`` if they cannot be read, or name a shape that cannot.
  mutating func load(
    _ reader: FrameReader, _ column: ColumnID, _ role: AttributeRole, _ shapes: ShapeCatalog,
    _ buffers: inout ReadBuffers
  ) throws(LogError) -> [Int] {
    try reader.codes(column, in: .shapes, into: &codes, &buffers)
    count()
    var marks: UInt8 = 0
    var total = 0
    for code in met {
      marks |= shapes.marks[Int(code)]
      total += Int(shapes.valueCounts[Int(code)]) * counts[Int(code)]
    }
    if marks & ShapeCatalog.unreadable != 0 { throw unreadable(reader, shapes) }
    guard total <= AttributeReader.largestCount else {
      throw reader.log.damage("more attributes than a frame may have", reader.frame)
    }
    literals.removeAll()
    if marks & ShapeCatalog.literal != 0 {
      literals = try CodedTexts.literals(reader, column, key: 0, codes)
    }
    guard marks & ShapeCatalog.unnamed != 0 else { return [] }
    return try unnamedRows(reader, role, shapes)
  }

  private func unreadable(_ reader: FrameReader, _ shapes: ShapeCatalog) -> LogError {
    let codes = met.filter { shapes.marks[Int($0)] & ShapeCatalog.unreadable != 0 }
    let code = codes.min() ?? 0
    do throws(ColumnError) {
      _ = try shapes.shape(code)
      return reader.log.damage("shape \(code) cannot be read", reader.frame)
    } catch {
      return reader.log.damage("shape \(code): \(error.reason)", reader.frame)
    }
  }

  /// Returns the rows with an erased or lost name, which may be the selected one.
  private func unnamedRows(
    _ reader: FrameReader, _ role: AttributeRole, _ shapes: ShapeCatalog
  ) throws(LogError) -> [Int] {
    var rows: [Int] = []
    for (row, code) in codes.enumerated()
    where shapes.marks[Int(code)] & ShapeCatalog.unnamed != 0 {
      guard let name = shapes.firstUnnamed(code, role) else { continue }
      try reader.log.passOver(
        reader.log.unnamed(name.column, name.code, row: row, of: reader.frame))
      rows.append(row)
    }
    return rows
  }

  /// Finds the codes of the rows, and the number of rows of each.
  mutating func count() {
    for code in met { counts[Int(code)] = 0 }
    met.removeAll(keepingCapacity: true)
    Self.count(codes, &counts, &met)
  }

  private static func count(_ rows: [UInt32], _ counts: inout [Int], _ met: inout [UInt32]) {
    var counts = counts.mutableSpan
    for code in rows {
      if counts[Int(code)] == 0 { met.append(code) }
      counts[Int(code)] &+= 1
    }
  }
}
