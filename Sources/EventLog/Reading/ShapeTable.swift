internal import Events

/// A table of how each shape of a log contains a few attributes.
struct ShapeTable: Sendable {
  /// Shapes that cannot be read, or whose names were lost.
  static let unreadable: UInt8 = 1
  /// Shapes with an attribute whose name was erased or lost.
  static let unnamed: UInt8 = 2
  /// The code that says that the attributes are stored in the frame themselves.
  static let literal: UInt8 = 4

  /// A shape without the attribute.
  static let absent: UInt32 = 0
  /// Attributes that are stored in the frame themselves. Values from 1 to 4 are the raw values of ``ValueType``, for a
  /// shape that has the attribute once; values above this one are indices into ``typeLists``.
  static let inFrame: UInt32 = 5

  private let names: LogNames
  private let isWhole: Bool
  /// By code of the shape, its defects.
  private(set) var marks: [UInt8]
  /// By code of the shape, the number of values of a row.
  private(set) var valueCounts: [Int32]
  /// By attribute, then by code of the shape: how the shape contains it.
  private(set) var picks: [[UInt32]]
  /// The types of an attribute that a shape contains more than once, which no writer of this package produces.
  private(set) var typeLists: [[ValueType]] = []

  /// Looks up attributes, given by their codes, in all shapes of the log. Attributes without a code are in none.
  init(_ log: LogReader, _ names: LogNames, _ attributes: [UInt32?]) {
    self.names = names
    // If damage is skipped, names may be lost that no frame left room for.
    isWhole = log.policy == .strict
    let limit = Int(log.codeLimit(.shapes))
    marks = Array(repeating: 0, count: limit)
    valueCounts = Array(repeating: 0, count: limit)
    picks = attributes.map { _ in Array(repeating: Self.absent, count: limit) }
    marks[Int(Vocabulary.literalCode)] = Self.literal
    for index in picks.indices { picks[index][Int(Vocabulary.literalCode)] = Self.inFrame }
    for code in Int(Vocabulary.literalCode) + 1..<limit { take(UInt32(code), attributes) }
  }

  private mutating func take(_ code: UInt32, _ attributes: [UInt32?]) {
    guard let fields = try? fields(code) else {
      marks[Int(code)] = Self.unreadable
      return
    }
    valueCounts[Int(code)] = Int32(clamping: fields.count)
    if fields.contains(where: { !hasName($0) }) { marks[Int(code)] = Self.unnamed }
    for (index, attribute) in attributes.enumerated() {
      let types = fields.filter { $0.name == attribute }.map(\.type)
      picks[index][Int(code)] = pick(types)
    }
  }

  private mutating func pick(_ types: [ValueType]) -> UInt32 {
    guard types.count > 1 else { return types.first.map { UInt32($0.rawValue) } ?? Self.absent }
    if typeLists.last != types { typeLists.append(types) }
    return Self.inFrame + UInt32(typeLists.count)
  }

  private func hasName(_ field: AttributeShape.Field) -> Bool {
    names.bytes(field.name, in: .attributes) != nil
  }

  /// Returns the attributes of a shape, read as one of a context or of metadata.
  ///
  /// - Throws: ``ColumnError`` if it was lost or cannot be read.
  func fields(_ code: UInt32) throws(ColumnError) -> [AttributeShape.Field] {
    guard let text = names.bytes(code, in: .shapes) else {
      throw ColumnError("it is lost, and with it where values belong")
    }
    guard text.count <= Vocabulary.shapes.longestText else {
      throw ColumnError("longer than a shape may be")
    }
    let shape = try AttributeShape(
      text, role: .context, attributeLimit: isWhole ? names.codeLimit(.attributes) : .max,
      variantLimit: .max)
    return shape.groups.flatMap(\.fields)
  }

  /// Returns the first attribute of a shape whose name was erased or lost.
  func firstUnnamed(_ code: UInt32) -> AttributeShape.Field? {
    (try? fields(code))?.first { !hasName($0) }
  }

  /// Returns the types that a pick above ``inFrame`` stands for.
  func types(of pick: UInt32) -> [ValueType] { typeLists[Int(pick - Self.inFrame) - 1] }
}
