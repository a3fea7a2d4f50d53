/// A stream of whole numbers, in the smallest of four encodings.
///
///     constant   base = the value; no payload
///     packed     base = the smallest value; width bits each: packed(value - base)
///     sparse     base = the usual value, which more than half of the values are;
///                bitmap: ceil(count / 64) u64, bit i % 64 of word i / 64 set where value i differs;
///                stream of the values that differ, in order
///     delta      base = 0; for each block of up to 1,024 values: first:i64 least:i64 width:u8;
///                then for each block: packed(value - value before - least), the first difference
///                of a block being `least`
///
/// All differences wrap around, so that any 64-bit value can follow any other.
enum IntegerStream {
  // MARK: Writing

  /// Appends the smallest stream that holds the values.
  static func write(_ values: [Int64], to output: inout [UInt8]) {
    write(values, range: IntegerRange(values.span), to: &output)
  }

  /// Appends the smallest stream that holds the values, whose range is known.
  static func write(_ values: [Int64], range: IntegerRange, to output: inout [UInt8]) {
    guard range.low != range.high else {
      StreamHeader(encoding: .constant, count: values.count, base: range.low).write(to: &output)
      return
    }
    let packedCost = BitPacking.byteCount(count: values.count, width: range.width)
    let deltas = DeltaBlocks(values.span, cheaperThan: packedCost)
    let cost = min(packedCost, deltas?.byteCount ?? .max)
    if let sparse = SparseValues(values.span, cheaperThan: cost) {
      sparse.write(values.span, to: &output)
    } else if let deltas {
      deltas.write(values.span, to: &output)
    } else {
      StreamHeader(
        encoding: .packed, width: UInt8(range.width), count: values.count, base: range.low
      ).write(to: &output)
      BitPacking.pack(values.span, minus: range.low, width: range.width, to: &output)
    }
  }

  // MARK: Reading

  /// Reads a stream of `count` values that ends where the bytes end.
  static func read<Value: FixedWidthInteger>(
    _ bytes: ArraySlice<UInt8>, count: Int, as type: Value.Type
  ) throws(ColumnError) -> [Value] {
    var reader = LittleEndianReader(bytes)
    let header = try StreamHeader.read(&reader, expecting: count)
    let payload = try reader.take(reader.remaining)
    let base = Value(truncatingIfNeeded: header.base)
    var values = [Value](repeating: base, count: count)
    switch header.encoding {
    case .constant:
      guard payload.isEmpty else { throw ColumnError("a constant has a payload") }
    case .packed:
      try BitPacking.unpack(
        payload, width: Int(header.width), base: base, into: &values, from: 0, count: count)
    case .delta: try readDeltas(payload, into: &values)
    case .sparse: try readSparse(payload, into: &values)
    default: throw ColumnError("\(header.encoding.name) does not hold whole numbers")
    }
    return values
  }

  private static func readDeltas<Value: FixedWidthInteger>(
    _ payload: ArraySlice<UInt8>, into values: inout [Value]
  ) throws(ColumnError) {
    let count = values.count
    let blocks = (count + BitPacking.blockCount - 1) / BitPacking.blockCount
    var heads = LittleEndianReader(payload)
    var bodies = LittleEndianReader(payload)
    _ = try bodies.take(blocks * DeltaBlocks.headBytes)
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
      values[start] = first
      for index in start + 1..<max(start + 1, start + size) {
        values[index] = values[index] &+ values[index - 1]
      }
    }
    try bodies.requireEnd()
  }

  private static func readSparse<Value: FixedWidthInteger>(
    _ payload: ArraySlice<UInt8>, into values: inout [Value]
  ) throws(ColumnError) {
    var reader = LittleEndianReader(payload)
    let bitmap = try Bitmap.read(&reader, count: values.count)
    // So a stream within a stream has less than half of the values, and nesting ends.
    guard bitmap.setCount * 2 < values.count else {
      throw ColumnError("the usual value is not usual")
    }
    let others = try reader.take(reader.remaining)
    let replacements = try read(others, count: bitmap.setCount, as: Value.self)
    var next = 0
    bitmap.forEachSet { row in
      values[row] = replacements[next]
      next += 1
    }
  }
}
