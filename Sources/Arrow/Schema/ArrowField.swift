/// A column of a schema, or a part of a nested one: its name and type.
public struct ArrowField: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The type; of the values, if they are in a dictionary.
  public var type: ArrowType
  /// Whether values may be null.
  public var isNullable: Bool
  /// The dictionary that the values are in; nil if they are in the column itself.
  public var dictionary: ArrowDictionaryEncoding?
  /// Whether its byte strings of 16 bytes are UUIDs: the extension type `arrow.uuid`.
  public internal(set) var isUUID = false

  /// Creates a field; nullable and without dictionary by default.
  public init(
    _ name: String, _ type: ArrowType, isNullable: Bool = true,
    dictionary: ArrowDictionaryEncoding? = nil
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.dictionary = dictionary
  }

  /// The type of what is stored in the column: for one with a dictionary that of the indices.
  var storedType: ArrowType { dictionary?.indexType ?? type }
}

/// The dictionary of a field: the column stores indices of values that are sent once.
public struct ArrowDictionaryEncoding: Hashable, Sendable {
  /// The number by which batches of values refer to the dictionary. Several fields may share one.
  public var id: Int64
  /// The type of the indices: integers.
  public var indexType: ArrowType

  /// Creates an encoding; the indices are signed integers of 32 bits by default.
  public init(id: Int64, indexType: ArrowType = .int32) {
    self.id = id
    self.indexType = indexType
  }
}

/// The columns of a stream, and what its writer says about it.
public struct ArrowSchema: Hashable, Sendable {
  /// A remark of the writer.
  public struct Metadata: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: String

    /// Creates a remark.
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The columns in order.
  public var fields: [ArrowField]
  /// The remarks of the writer, in order.
  public var metadata: [Metadata]

  /// Creates a schema; without remarks by default.
  public init(_ fields: [ArrowField], metadata: [Metadata] = []) {
    self.fields = fields
    self.metadata = metadata
  }
}
