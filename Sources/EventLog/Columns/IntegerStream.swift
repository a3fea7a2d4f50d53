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
  /// Appends the smallest stream that holds the values.
  static func write(_ values: [Int64], to output: inout [UInt8]) {
    let summary = Summary(values)
    guard summary.low != summary.high else {
      StreamHeader(encoding: .constant, count: values.count, base: summary.low).write(to: &output)
      return
    }
    let packedCost = BitPacking.byteCount(count: values.count, width: summary.width)
    let deltas = DeltaBlocks(values)
    let sparse = SparseValues(values)
    if let sparse, sparse.byteCount < min(packedCost, deltas.byteCount) {
      sparse.write(to: &output)
    } else if deltas.byteCount < packedCost {
      deltas.write(to: &output)
    } else {
      StreamHeader(
        encoding: .packed, width: UInt8(summary.width), count: values.count, base: summary.low
      ).write(to: &output)
      let offsets = values.map { UInt64(bitPattern: $0 &- summary.low) }
      BitPacking.pack(offsets[...], width: summary.width, to: &output)
    }
  }
}

/// The range of some values.
private struct Summary {
  var low: Int64
  var high: Int64

  init(_ values: [Int64]) {
    low = values.first ?? 0
    high = low
    for value in values {
      low = min(low, value)
      high = max(high, value)
    }
  }

  var width: Int { BitPacking.width(of: UInt64(bitPattern: high &- low)) }
}

/// Values as differences to the value before, with a width of its own for each block.
struct DeltaBlocks {
  static let headBytes = 17

  private struct Head {
    var first: Int64
    var least: Int64
    var width: Int
  }

  private let values: [Int64]
  private var heads: [Head] = []
  private(set) var byteCount: Int

  init(_ values: [Int64]) {
    self.values = values
    byteCount = 0
    for start in stride(from: 0, to: values.count, by: BitPacking.blockCount) {
      let end = min(start + BitPacking.blockCount, values.count)
      var least = Int64.max
      var most = Int64.min
      for index in start + 1..<max(start + 1, end) {
        let difference = values[index] &- values[index - 1]
        least = min(least, difference)
        most = max(most, difference)
      }
      if end - start == 1 { (least, most) = (0, 0) }
      let width = BitPacking.width(of: UInt64(bitPattern: most &- least))
      heads.append(Head(first: values[start], least: least, width: width))
      byteCount += Self.headBytes + BitPacking.byteCount(count: end - start, width: width)
    }
  }

  func write(to output: inout [UInt8]) {
    StreamHeader(encoding: .delta, count: values.count).write(to: &output)
    for head in heads {
      output.appendLittleEndian(head.first)
      output.appendLittleEndian(head.least)
      output.append(UInt8(head.width))
    }
    var offsets: [UInt64] = []
    for (block, head) in heads.enumerated() {
      let start = block * BitPacking.blockCount
      let end = min(start + BitPacking.blockCount, values.count)
      offsets.removeAll(keepingCapacity: true)
      offsets.append(0)
      for index in start + 1..<max(start + 1, end) {
        offsets.append(UInt64(bitPattern: values[index] &- values[index - 1] &- head.least))
      }
      BitPacking.pack(offsets[...], width: head.width, to: &output)
    }
  }
}

/// Values most of which are the same one.
private struct SparseValues {
  private let usual: Int64
  private let bitmap: Bitmap
  private let others: [Int64]
  private let count: Int
  let byteCount: Int

  /// - Returns: nil when no value makes up half of the values, because packing is smaller then.
  init?(_ values: [Int64]) {
    guard let usual = Self.majority(values) else { return nil }
    self.usual = usual
    count = values.count
    bitmap = Bitmap(count: values.count) { values[$0] != usual }
    others = values.filter { $0 != usual }
    let width = Summary(others).width
    byteCount =
      bitmap.byteCount + StreamHeader.byteCount
      + BitPacking.byteCount(count: others.count, width: width)
  }

  func write(to output: inout [UInt8]) {
    StreamHeader(encoding: .sparse, count: count, base: usual).write(to: &output)
    bitmap.write(to: &output)
    IntegerStream.write(others, to: &output)
  }

  /// The value that more than half of the values are (R. S. Boyer and J. S. Moore, "MJRTY: a fast
  /// majority vote algorithm", 1991).
  private static func majority(_ values: [Int64]) -> Int64? {
    var candidate: Int64 = 0
    var votes = 0
    for value in values {
      if votes == 0 { candidate = value }
      votes += value == candidate ? 1 : -1
    }
    let count = values.reduce(into: 0) { if $1 == candidate { $0 += 1 } }
    return count * 2 > values.count ? candidate : nil
  }
}
