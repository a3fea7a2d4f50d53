/// Reads the messages of an Arrow IPC stream, whose bytes the caller gets from wherever they are: the schema, then
/// dictionaries and batches of rows.
///
/// For each message read the eight bytes of an ``ArrowPrefix``, the metadata, and the body of as many bytes as the
/// ``ArrowMessage`` says. Any bytes end in batches or in an ``ArrowError``. Memory is bounded by the largest batch, of
/// at most 2 GiB, and the dictionaries, of at most 2 GiB in all.
public struct ArrowStreamDecoder: Sendable {
  /// The parts of a message.
  public enum Step: Sendable {
    /// The columns of the stream.
    case schema(ArrowSchema)
    /// Values of a dictionary, or something else that has no rows.
    case other
    /// Rows.
    case batch(ArrowBatch)
  }

  /// The most bytes of all dictionaries.
  private static let mostDictionaryBytes = 2 << 30

  /// The columns; nil before the first message.
  public private(set) var schema: ArrowSchema?
  private var dictionaries: [Int64: ArrowDictionary] = [:]
  private var dictionaryBytes: [Int64: Int] = [:]
  private var fieldOfDictionary: [Int64: ArrowField] = [:]
  private var messages = 0
  private var firstRow: Int64 = 0

  /// Creates a decoder of a new stream.
  public init() {}

  /// The number of the next message, counted from 1.
  public var nextMessage: Int { messages + 1 }

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - message: The metadata.
  ///   - body: The body, of as many bytes as the metadata says.
  /// - Returns: What it has.
  /// - Throws: ``ArrowError``, with the number of the message.
  public mutating func decode(
    _ message: ArrowMessage, body: [UInt8]
  ) throws(ArrowError) -> Step {
    messages += 1
    do throws(ArrowError) {
      guard body.count == message.bodyCount else {
        throw ArrowError(.malformed, "its body is cut off after \(body.count) bytes")
      }
      return try step(message, body)
    } catch {
      throw error.at("message \(messages)")
    }
  }

  private mutating func step(
    _ message: ArrowMessage, _ body: [UInt8]
  ) throws(ArrowError) -> Step {
    if case .schema(let schema) = message.content {
      guard self.schema == nil else { throw ArrowError(.malformed, "it is a second schema") }
      self.schema = schema
      for field in schema.fields { collect(field) }
      return .schema(schema)
    }
    guard let schema else { throw ArrowError(.malformed, "there is no schema before it") }
    switch message.content {
    case .schema, .other: return .other
    case .dictionary(let id, let layout, let isDelta):
      try add(id, layout, isDelta: isDelta, body)
      return .other
    case .batch(let layout):
      var decoder = ColumnDecoder(layout, body, dictionaries)
      var columns: [ArrowColumn] = []
      for field in schema.fields { columns.append(try decoder.column(field, rows: layout.count)) }
      guard !columns.isEmpty || layout.count <= 1 << 16 else {
        throw ArrowError(.malformed, "it has \(layout.count) rows without a column")
      }
      defer { firstRow += Int64(layout.count) }
      return .batch(ArrowBatch(firstRow: firstRow, count: layout.count, columns: columns))
    }
  }

  /// Notes which dictionary has values of which type.
  private mutating func collect(_ field: ArrowField) {
    if let encoding = field.dictionary, fieldOfDictionary[encoding.id] == nil {
      var values = field
      values.dictionary = nil
      fieldOfDictionary[encoding.id] = values
    }
    switch field.type {
    case .structure(let fields): for field in fields { collect(field) }
    case .list(let field, _), .map(let field), .fixedSizeList(let field, _): collect(field)
    default: break
    }
  }

  private mutating func add(
    _ id: Int64, _ layout: BatchLayout, isDelta: Bool, _ body: [UInt8]
  ) throws(ArrowError) {
    // No column uses it.
    guard let field = fieldOfDictionary[id] else { return }
    var decoder = ColumnDecoder(layout, body, dictionaries)
    let values = try decoder.column(field, rows: layout.count)
    if !isDelta { dictionaries[id] = nil }
    dictionaryBytes[id] = (isDelta ? dictionaryBytes[id] ?? 0 : 0) + body.count + 256
    guard dictionaryBytes.values.reduce(0, +) <= Self.mostDictionaryBytes else {
      throw ArrowError(
        .tooLarge, "the dictionaries have more than 2 GiB; write the texts without dictionaries")
    }
    dictionaries[id, default: ArrowDictionary()].append(values)
  }
}

/// Some rows of a stream.
public struct ArrowBatch: Sendable {
  /// The index of the first row in the stream.
  public let firstRow: Int64
  /// The number of rows.
  public let count: Int
  /// The columns, one for each field of the schema.
  public let columns: [ArrowColumn]
}
