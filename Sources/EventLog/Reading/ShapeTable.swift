internal import Events

/// A table of how each shape of a log contains a few attributes of contexts and metadata.
struct ShapeTable: Sendable {
  /// A shape without the attribute.
  static let absent: UInt32 = 0
  /// Attributes that are stored in the frame themselves. Values from 1 to 4 are the raw values of ``ValueType``, for a
  /// shape that has the attribute once; values above this one are indices into ``typeLists``.
  static let inFrame: UInt32 = 5

  /// By attribute, then by code of the shape: how the shape contains it.
  private(set) var picks: [[UInt32]]
  /// The types of an attribute that a shape contains more than once, which no writer of this package produces.
  private(set) var typeLists: [[ValueType]] = []
  /// The shapes.
  private(set) var shapes: ShapeCatalog

  /// Looks up attributes, given by their codes, in all shapes of the log. Attributes without a code are in none.
  init(_ log: LogReader, _ names: LogNames, _ attributes: [UInt32?]) {
    let limit = Int(log.codeLimit(.shapes))
    var picks = attributes.map { _ in [UInt32](repeating: Self.absent, count: limit) }
    var typeLists: [[ValueType]] = []
    for index in picks.indices { picks[index][Int(Vocabulary.literalCode)] = Self.inFrame }
    shapes = ShapeCatalog(log, names, .context) { code, shape in
      let fields = shape.groups.flatMap(\.fields)
      for (index, attribute) in attributes.enumerated() {
        let types = fields.filter { $0.name == attribute }.map(\.type)
        picks[index][Int(code)] = Self.pick(types, &typeLists)
      }
    }
    self.picks = picks
    self.typeLists = typeLists
  }

  private static func pick(_ types: [ValueType], _ lists: inout [[ValueType]]) -> UInt32 {
    guard types.count > 1 else { return types.first.map { UInt32($0.rawValue) } ?? absent }
    if lists.last != types { lists.append(types) }
    return inFrame + UInt32(lists.count)
  }

  /// Returns the types that a pick above ``inFrame`` stands for.
  func types(of pick: UInt32) -> [ValueType] { typeLists[Int(pick - Self.inFrame) - 1] }
}

/// A table of where each shape of a log, read as one of features, contains a few attributes.
struct FeatureTable: Sendable {
  /// A value of an attribute in a shape.
  struct Part: Sendable {
    /// The code of the variant.
    var variant: UInt32
    /// The raw value of the ``ValueType``.
    var type: UInt32
    /// Whether it is the value of its variant: as in an event, the first features of a variant and the first value of a
    /// name count. No writer of this package repeats one.
    var isFirst: Bool
  }

  /// The shapes.
  private(set) var shapes: ShapeCatalog
  /// By attribute, the concatenated values in all shapes, in the order in which a row of the shape stores them.
  private let parts: [[Part]]
  /// By attribute, then by code of the shape, the end of its values.
  private let ends: [[Int]]

  /// Looks up attributes, given by their codes, in all shapes of the log. Attributes without a code are in none.
  ///
  /// - Complexity: O(length of the log's shapes), in time and memory.
  init(_ log: LogReader, _ names: LogNames, _ attributes: [UInt32?]) {
    let limit = Int(log.codeLimit(.shapes))
    var parts = attributes.map { _ in [Part]() }
    var counts = attributes.map { _ in [Int](repeating: 0, count: limit) }
    shapes = ShapeCatalog(log, names, .features) { code, shape in
      for (index, attribute) in attributes.enumerated() {
        guard let attribute else { continue }
        let found = Self.parts(of: attribute, in: shape)
        counts[index][Int(code)] = found.count
        parts[index] += found
      }
    }
    self.parts = parts
    ends = counts.map { counts in
      var end = 0
      return counts.map { count in
        end += count
        return end
      }
    }
  }

  private static func parts(of attribute: UInt32, in shape: AttributeShape) -> [Part] {
    var parts: [Part] = []
    var variants: Set<UInt32> = []
    for group in shape.groups {
      var isFirst = variants.insert(group.variant).inserted
      for field in group.fields where field.name == attribute {
        parts.append(
          Part(variant: group.variant, type: UInt32(field.type.rawValue), isFirst: isFirst))
        isFirst = false
      }
    }
    return parts
  }

  /// Returns where a shape, given by its code, contains an attribute, given by its index.
  func parts(_ attribute: Int, of code: UInt32) -> ArraySlice<Part> {
    let end = ends[attribute][Int(code)]
    return parts[attribute][(code == 0 ? 0 : ends[attribute][Int(code) - 1])..<end]
  }
}
