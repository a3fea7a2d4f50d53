/// The beginning of a message of a stream: eight bytes.
public enum ArrowPrefix: Hashable, Sendable {
  /// The number of bytes.
  public static let count = 8
  /// The most bytes that the metadata of a message may have.
  static let mostMetadata = 16 << 20

  /// A message follows whose metadata has so many bytes.
  case metadata(count: Int)
  /// The stream ends here.
  case end

  /// Reads the eight bytes.
  ///
  /// - Throws: ``ArrowError`` if they are no such beginning, or the metadata is longer than 16 MiB.
  public init(_ bytes: ArraySlice<UInt8>) throws(ArrowError) {
    guard bytes.count == Self.count, bytes.prefix(4).allSatisfy({ $0 == 0xFF }) else {
      throw ArrowError(
        .malformed,
        "there is no message where one must begin; the stream is damaged, or older than Arrow 0.15")
    }
    var count = 0
    for (index, byte) in bytes.dropFirst(4).enumerated() { count |= Int(byte) << (8 * index) }
    guard count <= Self.mostMetadata else {
      throw ArrowError(
        .tooLarge, "the metadata of a message has \(count) bytes, more than 16 MiB")
    }
    self = count == 0 ? .end : .metadata(count: count)
  }
}

/// The metadata of a message: what its body contains.
public struct ArrowMessage {
  /// The most bytes that the body of a message may have.
  public static let mostBody = 2 << 30

  /// The content.
  enum Content {
    case schema(ArrowSchema)
    case dictionary(id: Int64, BatchLayout, isDelta: Bool)
    case batch(BatchLayout)
    /// A tensor, which streams of tables do not have.
    case other
  }

  let content: Content
  /// The number of bytes of the body, which follows the metadata.
  public let bodyCount: Int

  /// Reads metadata.
  ///
  /// - Throws: ``ArrowError``.
  public init(metadata: ArraySlice<UInt8>) throws(ArrowError) {
    let table = try FlatTable(root: metadata)
    let version = try table.integer(0, default: Int16(0))
    guard version >= 3 else {
      throw ArrowError(.unsupported, "the stream is older than Arrow 0.8; write it again")
    }
    let count = try table.integer(3, default: Int64(0))
    guard count >= 0 else { throw ArrowError(.malformed, "the length of its body is negative") }
    guard count <= Self.mostBody else {
      throw ArrowError(
        .tooLarge,
        "a batch has \(count) bytes, more than 2 GiB; write smaller ones, as with "
          + "writer.write_table(table, max_chunksize=65536)")
    }
    bodyCount = Int(count)
    guard let header = try table.table(2) else {
      throw ArrowError(.malformed, "the message has no content")
    }
    switch try table.integer(1, default: UInt8(0)) {
    case 1: content = .schema(try ArrowSchema(header))
    case 2:
      guard let data = try header.table(1) else {
        throw ArrowError(.malformed, "a dictionary has no values")
      }
      content = .dictionary(
        id: try header.integer(0, default: Int64(0)), try BatchLayout(data),
        isDelta: try header.flag(2))
    case 3: content = .batch(try BatchLayout(header))
    default: content = .other
    }
  }
}

/// The rows and buffers of the body of a message, as its metadata states them.
struct BatchLayout {
  /// The number of rows.
  let count: Int
  /// For each column, nested ones behind the one that has them, the number of rows and of nulls.
  let nodes: [Int64]
  /// The offset and the length of each buffer.
  let buffers: [Int64]
  /// For each column of views, the number of its further buffers.
  let viewBuffers: [Int64]

  init(_ table: FlatTable) throws(ArrowError) {
    if let compression = try table.table(3) {
      let name = try compression.integer(0, default: UInt8(0)) == 0 ? "LZ4" : "ZSTD"
      throw ArrowError(
        .compressed,
        "its batches are compressed (\(name)); write them without compression, as with "
          + "pyarrow.feather.write_feather(table, path, compression=\"uncompressed\"), and compress the whole "
          + "file with gzip if it must be smaller")
    }
    let length = try table.integer(0, default: Int64(0))
    guard let count = Int(exactly: length), count >= 0 else {
      throw ArrowError(.malformed, "the number of rows is negative")
    }
    self.count = count
    nodes = try table.words(1, perElement: 2)
    buffers = try table.words(2, perElement: 2)
    viewBuffers = try table.words(4, perElement: 1)
  }
}
