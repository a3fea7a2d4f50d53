/// Differences to the previous value, most of which need few bits: the encoding `patchedDelta` of ``IntegerStream``.
///
/// Timestamps have this form: repeated times, gaps of about the same size, and an occasional late event, after which
/// the next one is as far ahead as it was behind. Exceptions after M. Zukowski, S. Heman, N. Nes and P. Boncz,
/// "Super-Scalar RAM-CPU Cache Compression", 2006, doi:10.1109/ICDE.2006.150.
struct PatchedDeltas {
  private let count: Int
  private let first: Int64
  /// The rows that differ from the row before; nil if differences of 0 are stored like all others.
  private let moves: Bitmap?
  private let differences: [Int64]
  private var blocks: [PatchedBlock] = []
  private(set) var byteCount = 0

  /// Encodes the values.
  ///
  /// - Returns: nil if the stream, without its header, takes at least as many bytes as the limit, or if the limit is
  ///   so low that the stream, which is slower to read, could not save much.
  init?(_ values: Span<Int64>, cheaperThan limit: Int) {
    guard values.count > 1, limit >= values.count else { return nil }
    count = values.count
    first = values[0]
    var repeats = 0
    for index in 1..<count where values[index] == values[index - 1] { repeats += 1 }
    // Compares a bit for each row with the bits that each repeated row would take otherwise.
    let leavesOut = repeats * (limit * 8 / count) > count
    var differences: [Int64] = []
    differences.reserveCapacity(count - 1)
    for index in 1..<count {
      let difference = values[index] &- values[index - 1]
      if difference != 0 || !leavesOut { differences.append(difference) }
    }
    self.differences = differences
    moves = leavesOut ? Bitmap(count: count) { $0 > 0 && values[$0] != values[$0 - 1] } : nil
    byteCount = moves?.byteCount ?? 0
    for start in stride(from: 0, to: differences.count, by: BitPacking.blockCount) {
      let range = Self.range(from: start, count: differences.count)
      let block = PatchedBlock(differences.span.extracting(range))
      blocks.append(block)
      byteCount += block.byteCount(range.count)
      guard byteCount < limit else { return nil }
    }
    guard byteCount < limit else { return nil }
  }

  private static func range(from start: Int, count: Int) -> Range<Int> {
    start..<min(start + BitPacking.blockCount, count)
  }

  func write(to output: inout [UInt8]) {
    StreamHeader(
      encoding: .patchedDelta, width: moves == nil ? 0 : 1, count: count, base: first
    ).write(to: &output)
    moves?.write(to: &output)
    for block in blocks {
      output.appendLittleEndian(block.least)
      output.append(UInt8(block.width))
      output.append(UInt8(block.restWidth))
      output.appendLittleEndian(UInt16(block.exceptions))
    }
    for (index, block) in blocks.enumerated() {
      let range = Self.range(from: index * BitPacking.blockCount, count: differences.count)
      Self.write(differences.span.extracting(range), block, to: &output)
    }
  }

  private static func write(
    _ differences: Span<Int64>, _ block: PatchedBlock, to output: inout [UInt8]
  ) {
    guard block.exceptions > 0 else {
      BitPacking.pack(differences, minus: block.least, width: block.width, to: &output)
      return
    }
    var low: [Int64] = []
    var (places, rests): ([UInt64], [UInt64]) = ([], [])
    low.reserveCapacity(differences.count)
    for index in differences.indices {
      let rest = block.rest(of: differences[index])
      let addend = PatchedBlock.addend(rest, width: block.width)
      low.append(differences[index] &- Int64(bitPattern: addend))
      guard rest != 0 else { continue }
      places.append(UInt64(index))
      rests.append(rest)
    }
    BitPacking.pack(low.span, minus: block.least, width: block.width, to: &output)
    BitPacking.pack(places[...], width: PatchedBlock.placeWidth, to: &output)
    BitPacking.pack(rests[...], width: block.restWidth, to: &output)
  }
}
