extension PatchedDeltas {
  /// Reads the values of a stream from the bytes after its header, which gives the number of values.
  static func read<Value: FixedWidthInteger>(
    _ payload: ArraySlice<UInt8>, _ header: StreamHeader, into values: inout [Value]
  ) throws(ColumnError) {
    let count = header.count
    guard count > 0, header.width <= 1 else {
      throw ColumnError("differences of \(count) values with the mark \(header.width)")
    }
    var bodies = LittleEndianReader(payload)
    var moves: Bitmap?
    if header.width == 1 { moves = try Bitmap.read(&bodies, count: count) }
    if let moves, moves[0] { throw ColumnError("the first value differs from the one before") }
    let differences = moves?.setCount ?? count - 1
    let blocks = (differences + BitPacking.blockCount - 1) / BitPacking.blockCount
    var heads = try LittleEndianReader(bodies.take(blocks * PatchedBlock.headBytes))
    values.resize(to: count)
    var patches = Patches()
    // The differences are at the end of the array, so that the sums can overwrite them from the front.
    for start in stride(from: count - differences, to: count, by: BitPacking.blockCount) {
      let rows = start..<min(start + BitPacking.blockCount, count)
      try patches.readBlock(&heads, &bodies, rows, into: &values)
    }
    try bodies.requireEnd()
    let first = Value(truncatingIfNeeded: header.base)
    if let moves {
      ColumnKernels.sum(&values, moving: moves, first: first)
    } else {
      ColumnKernels.sum(&values, from: 0, count: count, first: first)
    }
  }
}

/// The exceptions of a block, in memory that is reused for the next.
private struct Patches {
  private var places: [UInt16] = []
  private var rests: [UInt64] = []

  mutating func readBlock<Value: FixedWidthInteger>(
    _ heads: inout LittleEndianReader, _ bodies: inout LittleEndianReader, _ rows: Range<Int>,
    into values: inout [Value]
  ) throws(ColumnError) {
    let least = Value(truncatingIfNeeded: try heads.read(Int64.self))
    let width = Int(try heads.read(UInt8.self))
    let restWidth = Int(try heads.read(UInt8.self))
    let exceptions = Int(try heads.read(UInt16.self))
    guard exceptions <= rows.count else {
      throw ColumnError("\(exceptions) exceptions among \(rows.count) differences")
    }
    let low = try bodies.take(BitPacking.byteCount(count: rows.count, width: width))
    try BitPacking.unpack(
      low, width: width, base: least, into: &values, from: rows.lowerBound, count: rows.count)
    guard exceptions > 0 else { return }
    try Self.read(&bodies, exceptions, width: PatchedBlock.placeWidth, into: &places)
    try Self.read(&bodies, exceptions, width: restWidth, into: &rests)
    for index in 0..<exceptions {
      let place = Int(places[index])
      guard place < rows.count else {
        throw ColumnError("an exception at place \(place) of \(rows.count)")
      }
      let addend = PatchedBlock.addend(rests[index], width: width)
      values[rows.lowerBound + place] &+= Value(truncatingIfNeeded: addend)
    }
  }

  private static func read<Value: FixedWidthInteger>(
    _ reader: inout LittleEndianReader, _ count: Int, width: Int, into values: inout [Value]
  ) throws(ColumnError) {
    values.resize(to: count)
    let bytes = try reader.take(BitPacking.byteCount(count: count, width: width))
    try BitPacking.unpack(bytes, width: width, base: 0, into: &values, from: 0, count: count)
  }
}
