/// Differences to the previous value, with a bit width for each block: the encoding `delta` of ``IntegerStream``.
struct DeltaBlocks {
  static let headBytes = 17

  private struct Head {
    var first: Int64
    var least: Int64
    var width: Int
  }

  private var heads: [Head] = []
  private(set) var byteCount = 0

  /// Encodes the values.
  ///
  /// - Returns: nil if the blocks take at least as many bytes as the limit.
  init?(_ values: Span<Int64>, cheaperThan limit: Int) {
    for start in stride(from: 0, to: values.count, by: BitPacking.blockCount) {
      let block = values.extracting(start..<min(start + BitPacking.blockCount, values.count))
      let differences = IntegerRange(differencesOf: block)
      heads.append(Head(first: block[0], least: differences.low, width: differences.width))
      byteCount +=
        Self.headBytes + BitPacking.byteCount(count: block.count, width: differences.width)
      guard byteCount < limit else { return nil }
    }
  }

  func write(_ values: Span<Int64>, to output: inout [UInt8]) {
    StreamHeader(encoding: .delta, count: values.count).write(to: &output)
    for head in heads {
      output.appendLittleEndian(head.first)
      output.appendLittleEndian(head.least)
      output.append(UInt8(head.width))
    }
    var differences = [Int64](repeating: 0, count: BitPacking.blockCount)
    for (block, head) in heads.enumerated() {
      let start = block * BitPacking.blockCount
      let count = min(BitPacking.blockCount, values.count - start)
      differences[0] = head.least
      for index in 1..<max(1, count) {
        differences[index] = values[start + index] &- values[start + index - 1]
      }
      BitPacking.pack(
        differences.span.extracting(0..<count), minus: head.least, width: head.width, to: &output)
    }
  }
}
