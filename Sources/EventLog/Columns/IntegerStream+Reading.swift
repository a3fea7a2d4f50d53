extension IntegerStream {
  /// Reads a stream of `count` values that ends where the bytes end.
  static func read<Value: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, count: Int, as type: Value.Type
  ) throws(ColumnError) -> [Value] {
    var values: [Value] = []
    try read(bytes, count: count, into: &values)
    return values
  }

  /// Reads a stream of `count` values that ends where the bytes end, replacing the contents of an array whose memory
  /// is reused.
  static func read<Value: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, count: Int, into values: inout [Value]
  ) throws(ColumnError) {
    var reader = LittleEndianReader(bytes)
    let header = try StreamHeader.read(&reader, expecting: count)
    let payload = try reader.take(reader.remaining)
    let base = Value(truncatingIfNeeded: header.base)
    switch header.encoding {
    case .constant:
      guard payload.isEmpty else { throw ColumnError("a constant has a payload") }
      values.refill(base, count: count)
    case .packed:
      try values.resize(to: count, bits: Int(header.width), in: payload)
      try BitPacking.unpack(
        payload, width: Int(header.width), base: base, into: &values, from: 0, count: count)
    case .delta: try readDeltas(payload, count: count, into: &values)
    case .sparse: try readSparse(payload, count: count, usual: base, into: &values)
    case .patchedDelta: try PatchedDeltas.read(payload, header, into: &values)
    default: throw ColumnError("\(header.encoding.name) does not hold whole numbers")
    }
  }

  private static func readDeltas<Value: FixedWidthInteger>(
    _ payload: ArraySlice<UInt8>, count: Int, into values: inout [Value]
  ) throws(ColumnError) {
    let blocks = (count + BitPacking.blockCount - 1) / BitPacking.blockCount
    var heads = LittleEndianReader(payload)
    var bodies = LittleEndianReader(payload)
    _ = try bodies.take(blocks * DeltaBlocks.headBytes)
    values.resize(to: count)
    for block in 0..<blocks {
      let start = block * BitPacking.blockCount
      let size = min(BitPacking.blockCount, count - start)
      let first = Value(truncatingIfNeeded: try heads.read(Int64.self))
      let least = Value(truncatingIfNeeded: try heads.read(Int64.self))
      let width = Int(try heads.read(UInt8.self))
      guard width <= 64 else { throw ColumnError("width \(width) is not in 0...64") }
      let body = try bodies.take(BitPacking.byteCount(count: size, width: width))
      try BitPacking.unpack(
        body, width: width, base: least, into: &values, from: start, count: size)
      ColumnKernels.sum(&values, from: start, count: size, first: first)
    }
    try bodies.requireEnd()
  }

  private static func readSparse<Value: FixedWidthInteger>(
    _ payload: ArraySlice<UInt8>, count: Int, usual: Value, into values: inout [Value]
  ) throws(ColumnError) {
    var reader = LittleEndianReader(payload)
    var bitmap = Bitmap(count: 0)
    try bitmap.load(&reader, count: count)
    // A nested stream thus has less than half of the values, so the recursion ends.
    guard bitmap.setCount * 2 < count else { throw ColumnError("the usual value is not usual") }
    let others = try reader.take(reader.remaining)
    let replacements = try read(others, count: bitmap.setCount, as: Value.self)
    values.refill(usual, count: count)
    ColumnKernels.spread(replacements, to: bitmap, into: &values)
  }
}

extension Array where Element: FixedWidthInteger {
  /// Reserves room for at most the number of values that the bytes can hold, so that a damaged length does not cause a
  /// large allocation.
  fileprivate mutating func resize(
    to count: Int, bits: Int, in bytes: ArraySlice<UInt8>
  ) throws(ColumnError) {
    guard (0...64).contains(bits) else { throw ColumnError("width \(bits) is not in 0...64") }
    guard bytes.count == BitPacking.byteCount(count: count, width: bits) else {
      throw ColumnError("\(count) values of \(bits) bits do not take \(bytes.count) bytes")
    }
    resize(to: count)
  }
}
