/// An entry of a frame's directory: the location of a column's bytes, and bounds of its values. The layout is in
/// `Frame.swift`.
package struct ColumnEntry: Hashable, Sendable {
  static let byteCount = 48
  static let hasGapsFlag: UInt8 = 1

  package var column: ColumnID
  package var isDeflated: Bool
  package var hasGaps: Bool
  package var key: UInt32
  package var offset: UInt32
  package var storedLength: UInt32
  package var rawLength: UInt32
  package var crc: UInt32
  package var low: Int64
  package var high: Int64
  package var encoding: UInt8
  package var width: UInt8
  package var values: UInt32
  /// The codec, if this version does not know it: the column cannot be read, the others can.
  package var unknownCodec: UInt8?

  func write(to output: inout [UInt8]) {
    output.appendLittleEndian(column.rawValue)
    output.append(unknownCodec ?? (isDeflated ? 1 : 0))
    output.append(hasGaps ? Self.hasGapsFlag : 0)
    output.appendLittleEndian(key)
    output.appendLittleEndian(offset)
    output.appendLittleEndian(storedLength)
    output.appendLittleEndian(rawLength)
    output.appendLittleEndian(crc)
    output.appendLittleEndian(low)
    output.appendLittleEndian(high)
    output.append(encoding)
    output.append(width)
    output.appendLittleEndian(0 as UInt16)
    output.appendLittleEndian(values)
  }

  /// Reads an entry.
  ///
  /// - Throws: ``ColumnError`` if the entry does not fit a frame with the given bounds.
  static func read(
    _ reader: inout LittleEndianReader, metaLength: Int, end: Int
  ) throws(ColumnError) -> ColumnEntry {
    let column = ColumnID(rawValue: try reader.read(UInt16.self))
    let codec = try reader.read(UInt8.self)
    let flags = try reader.read(UInt8.self)
    let entry = ColumnEntry(
      column: column, isDeflated: codec == 1, hasGaps: flags & hasGapsFlag != 0,
      key: try reader.read(UInt32.self), offset: try reader.read(UInt32.self),
      storedLength: try reader.read(UInt32.self), rawLength: try reader.read(UInt32.self),
      crc: try reader.read(UInt32.self), low: try reader.read(Int64.self),
      high: try reader.read(Int64.self), encoding: try reader.read(UInt8.self),
      width: try reader.read(UInt8.self),
      values: try { () throws(ColumnError) in
        _ = try reader.read(UInt16.self)
        return try reader.read(UInt32.self)
      }(), unknownCodec: codec > 1 ? codec : nil)
    guard entry.offset % 8 == 0, entry.offset >= metaLength,
      Int(entry.offset) + Int(entry.storedLength) <= end
    else { throw ColumnError("column \(column.name) lies outside its frame") }
    guard codec != 0 || entry.storedLength == entry.rawLength else {
      throw ColumnError("column \(column.name) has two lengths")
    }
    return entry
  }
}
