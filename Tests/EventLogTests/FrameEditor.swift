@testable import EventLog

/// Takes a frame apart and puts it together again with other chunks, all checksums right: for tests of what
/// no writer here writes.
struct FrameEditor {
  var header: FrameHeader
  private var columns: [(entry: ColumnEntry, raw: [UInt8])]

  /// Takes a frame of a segment's bytes apart.
  init(_ frame: FrameInfo, of reader: LogReader) throws {
    header = frame.header
    columns = try frame.entries.map { ($0, try reader.chunk($0, of: frame)) }
  }

  func raw(_ column: ColumnID) -> [UInt8]? { columns.first { $0.entry.column == column }?.raw }

  /// Changes the chunk of a column, and its entry.
  mutating func change(
    _ column: ColumnID, _ body: (inout ColumnEntry, inout [UInt8]) throws -> Void
  )
    rethrows
  {
    for index in columns.indices where columns[index].entry.column == column {
      var (entry, raw) = columns[index]
      try body(&entry, &raw)
      columns[index] = (entry, raw)
    }
  }

  /// Sets the whole numbers of a column.
  mutating func set(_ column: ColumnID, _ values: [Int64]) {
    change(column) { entry, raw in
      raw = []
      IntegerStream.write(values, to: &raw)
      (entry.low, entry.high) = (values.min() ?? 0, values.max() ?? 0)
      entry.values = UInt32(values.count)
    }
  }

  mutating func remove(_ column: ColumnID) {
    columns.removeAll { $0.entry.column == column }
  }

  /// The frame's bytes, no chunk of it compressed.
  var bytes: [UInt8] {
    var header = header
    header.columns = UInt16(columns.count)
    var chunks: [UInt8] = []
    var directory: [UInt8] = []
    var entries: [ColumnEntry] = []
    for (entry, raw) in columns {
      var entry = entry
      entry.isDeflated = false
      entry.offset = UInt32(header.metaLength + chunks.count)
      (entry.storedLength, entry.rawLength) = (UInt32(raw.count), UInt32(raw.count))
      entry.crc = Checksum.crc32c(raw)
      entry.write(to: &directory)
      entries.append(entry)
      chunks += raw
      chunks.pad(to: 8)
    }
    header.length = UInt32(header.metaLength + chunks.count + FrameHeader.trailerByteCount)
    var output = header.bytes
    let directoryCheck = Checksum.crc32c(directory)
    let check = FrameWriter.check(
      header: Checksum.crc32c(output.dropLast(4)), directory: directoryCheck, entries: entries)
    output += directory
    output.appendLittleEndian(directoryCheck)
    output.appendLittleEndian(0 as UInt32)
    output += chunks
    output.appendLittleEndian(header.length)
    output.appendLittleEndian(check)
    output.appendLittleEndian(header.rows)
    output.appendLittleEndian(FrameHeader.trailerMagic)
    return output
  }
}
