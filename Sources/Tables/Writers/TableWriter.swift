/// A writer of tables in one format. Equal tables give equal bytes.
public protocol TableWriter: Sendable {
  /// Appends the table to a buffer and passes the buffer on after each row, so that it can be emptied while the table
  /// is being written.
  ///
  /// - Throws: Only what `afterEachRow` throws.
  func write<Failure: Error>(
    _ table: Table, to buffer: inout [UInt8],
    afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure)
}

/// The buffer size above which bytes are passed to the sink.
private let flushSizeBytes = 1 << 16

extension TableWriter {
  /// Appends the whole table to the bytes.
  public func write(_ table: Table, to output: inout [UInt8]) {
    write(table, to: &output, afterEachRow: { (_: inout [UInt8]) throws(Never) in })
  }

  /// Writes the whole table to a sink, in pieces of about 64 KiB.
  ///
  /// - Throws: ``OutputError`` from the sink.
  public func write(_ table: Table, to sink: some ByteSink) throws(OutputError) {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(flushSizeBytes + flushSizeBytes / 4)
    try write(
      table, to: &buffer,
      afterEachRow: { (buffer: inout [UInt8]) throws(OutputError) in
        guard buffer.count >= flushSizeBytes else { return }
        try sink.append(buffer)
        buffer.removeAll(keepingCapacity: true)
      })
    if !buffer.isEmpty { try sink.append(buffer) }
  }
}
