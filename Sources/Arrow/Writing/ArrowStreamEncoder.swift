/// Writes the messages of an Arrow IPC stream: the schema, then dictionaries before the batches that use them, then
/// batches of rows, then the end.
///
/// The grammar: a message is `FF FF FF FF`, the length of its metadata in 32 bits, the metadata (a FlatBuffer, padded
/// to 8 bytes) and its body, whose buffers are padded to 8 bytes each. The end is `FF FF FF FF 00 00 00 00`. Bodies are
/// not compressed.
public struct ArrowStreamEncoder: Sendable {
  /// The media type of a stream.
  public static let mediaType = "application/vnd.apache.arrow.stream"

  /// The version of the metadata, 1.0 and later.
  private static let version: Int16 = 4

  /// The columns.
  public let schema: ArrowSchema

  /// Creates an encoder of a stream with some columns.
  public init(_ schema: ArrowSchema) { self.schema = schema }

  /// Appends the schema, which comes first.
  public func appendSchema(to bytes: inout [UInt8]) {
    Self.append(header: 1, schema.node, bodyCount: 0, to: &bytes)
  }

  /// Appends the values of a dictionary, or, for a delta, values that follow those sent before.
  public func appendDictionary(
    _ id: Int64, _ values: ArrowArray, isDelta: Bool = false, to bytes: inout [UInt8]
  ) {
    let layout = BodyLayout([values], count: values.count)
    let node = FlatNode.table([
      .long(id), .node(layout.node), isDelta ? .byte(1) : .absent,
    ])
    Self.append(header: 2, node, bodyCount: layout.byteCount, to: &bytes)
    layout.appendBody([values], to: &bytes)
  }

  /// Appends a batch of rows.
  ///
  /// - Parameters:
  ///   - columns: A column for each field of the schema, of its type and with as many rows.
  ///   - count: The number of rows.
  ///   - bytes: The output.
  public func appendBatch(_ columns: [ArrowArray], count: Int, to bytes: inout [UInt8]) {
    let layout = BodyLayout(columns, count: count)
    Self.append(header: 3, layout.node, bodyCount: layout.byteCount, to: &bytes)
    layout.appendBody(columns, to: &bytes)
  }

  /// Appends the end of the stream.
  public func appendEnd(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
  }

  /// Appends a message without its body.
  private static func append(
    header: UInt8, _ node: FlatNode, bodyCount: Int, to bytes: inout [UInt8]
  ) {
    let message = FlatNode.table([
      .short(version), .byte(header), .node(node), .long(Int64(bodyCount)),
    ])
    let metadata = FlatBuffer(root: message).bytes
    let padding = (8 - metadata.count % 8) % 8
    let length = UInt32(metadata.count + padding)
    bytes.append(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF])
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
    bytes.append(contentsOf: metadata)
    bytes.append(contentsOf: repeatElement(0, count: padding))
  }
}

/// The places of the buffers of some columns in the body of a message.
private struct BodyLayout {
  private let count: Int
  private var nodes: [Int64] = []
  private var buffers: [Int64] = []
  /// The length of the body.
  private(set) var byteCount = 0

  init(_ columns: [ArrowArray], count: Int) {
    self.count = count
    for column in columns { add(column) }
  }

  private mutating func add(_ column: ArrowArray) {
    nodes.append(Int64(column.count))
    nodes.append(Int64(column.nullCount))
    for buffer in column.buffers {
      buffers.append(Int64(byteCount))
      buffers.append(Int64(buffer.count))
      byteCount += (buffer.count + 7) & ~7
    }
    for child in column.children { add(child) }
  }

  /// The table `RecordBatch`.
  var node: FlatNode {
    .table([
      .long(Int64(count)), .node(.words(nodes, perElement: 2)),
      .node(.words(buffers, perElement: 2)),
    ])
  }

  func appendBody(_ columns: [ArrowArray], to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + byteCount)
    for column in columns { append(column, to: &bytes) }
  }

  private func append(_ column: ArrowArray, to bytes: inout [UInt8]) {
    for buffer in column.buffers {
      bytes.append(contentsOf: buffer)
      bytes.append(contentsOf: repeatElement(0, count: (8 - buffer.count % 8) % 8))
    }
    for child in column.children { append(child, to: &bytes) }
  }
}
