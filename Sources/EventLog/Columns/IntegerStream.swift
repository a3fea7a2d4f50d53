/// A stream of integers, in the smallest of five encodings.
///
///     constant   base = the value; no payload
///     packed     base = the smallest value; width bits each: packed(value - base)
///     sparse     base = the dominant value, that of more than half of the rows;
///                bitmap: ceil(count / 64) u64, bit i % 64 of word i / 64 set where value i differs;
///                stream of the values that differ, in order
///     delta      base = 0; for each block of up to 1,024 values: first:i64 least:i64 width:u8;
///                then for each block: packed(value - value before - least), the first difference
///                of a block being `least`
///     patched    base = the first value; width = 1 where a bitmap follows, else 0: bit i set where value i is not
///                the value before; then the differences of the values that it sets, or of all but the first,
///                in blocks of up to 1,024: for each block least:i64 width:u8 rest-width:u8 exceptions:u16;
///                then for each block: packed(low width bits of difference - least), for its exceptions
///                packed(place within the block) of 10 bits, packed(zigzag((difference - least) >> width))
///                of rest-width bits
///
/// Differences wrap around, so that any 64-bit value can follow any other.
enum IntegerStream {
  /// Appends the smallest stream that holds the values.
  static func write(_ values: [Int64], patching: Bool = true, to output: inout [UInt8]) {
    write(values, range: IntegerRange(values.span), patching: patching, to: &output)
  }

  /// Appends the smallest stream that holds the values, given their range. Without `patching`, `patched` is not
  /// considered: the indices of a dictionary have meaningless differences, and DEFLATE compresses them better as they
  /// are.
  static func write(
    _ values: [Int64], range: IntegerRange, patching: Bool = true, to output: inout [UInt8]
  ) {
    guard range.low != range.high else {
      StreamHeader(encoding: .constant, count: values.count, base: range.low).write(to: &output)
      return
    }
    let packedCost = BitPacking.byteCount(count: values.count, width: range.width)
    let deltas = DeltaBlocks(values.span, cheaperThan: packedCost)
    let cost = min(packedCost, deltas?.byteCount ?? .max)
    let patched = patching ? PatchedDeltas(values.span, cheaperThan: cost) : nil
    if let sparse = SparseValues(values.span, cheaperThan: patched?.byteCount ?? cost) {
      sparse.write(values.span, to: &output)
    } else if let patched {
      patched.write(to: &output)
    } else if let deltas {
      deltas.write(values.span, to: &output)
    } else {
      StreamHeader(
        encoding: .packed, width: UInt8(range.width), count: values.count, base: range.low
      ).write(to: &output)
      BitPacking.pack(values.span, minus: range.low, width: range.width, to: &output)
    }
  }
}
