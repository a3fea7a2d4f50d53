public import Specifications

// The encoding of sums in a state:
//
//     sum      = flags:byte, specials?, first, count, count numbers
//     flags    = 1 for a negative sum, 2 if special values follow
//     specials = the numbers of positive infinities, negative infinities, and NaNs
//     moments  = count, sum of the values, sum of their squares
//
// The numbers are the chunks of the sum's magnitude from the first to the last nonzero one, so equal sums have equal
// bytes.

extension ExactSum: EmptyState {
  public func write(to writer: inout StateWriter) {
    let sum = widened.normalized()
    let specials = sum.specials
    let isNegative = sum.chunks[68] < 0
    let magnitude = isNegative ? sum.negated() : sum
    writer.write(byte: (isNegative ? 1 : 0) | (specials.isEmpty ? 0 : 2))
    if !specials.isEmpty {
      for count in [specials.positiveInfinities, specials.negativeInfinities, specials.nans] {
        writer.write(tally: count)
      }
    }
    let used = magnitude.chunks.indices.filter { magnitude.chunks[$0] != 0 }
    guard let first = used.first, let last = used.last else {
      writer.write(0 as UInt64)
      writer.write(0 as UInt64)
      return
    }
    writer.write(UInt64(first))
    writer.write(UInt64(last - first + 1))
    for index in first...last { writer.write(UInt64(magnitude.chunks[index])) }
  }

  /// Reads a sum.
  ///
  /// - Throws: ``StateError`` if the bytes are invalid.
  public init(from reader: inout StateReader) throws(StateError) {
    self.init()
    let flags = try reader.readByte()
    guard flags < 4 else { throw StateError("a sum has unknown flags") }
    let isNegative = flags & 1 != 0
    var specials = SpecialValues()
    if flags & 2 != 0 {
      specials = SpecialValues(
        positiveInfinities: try reader.readTally(), negativeInfinities: try reader.readTally(),
        nans: try reader.readTally())
    }
    let first = try reader.readCount(below: 69)
    let end = first + (try reader.readCount(below: 70 - first))
    if specials.isEmpty, end <= 67 {
      // In a window if possible, as the sum that was written: a sum of all chunks is many times as large.
      for index in first..<end {
        let chunk = UInt64(try reader.readCount(below: 1 << 32))
        if chunk != 0 { add(magnitude: chunk, at: 32 * index, negative: isNegative) }
      }
    } else {
      wide = [try Self.wideSum(from: &reader, first..<end, specials, isNegative: isNegative)]
    }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    self = try ExactSum(from: &reader)
  }

  private static func wideSum(
    from reader: inout StateReader, _ chunks: Range<Int>, _ specials: SpecialValues,
    isNegative: Bool
  ) throws(StateError) -> WideSum {
    var sum = WideSum()
    sum.specials = specials
    for index in chunks {
      sum.chunks[index] = Int64(try reader.readCount(below: index == 68 ? 1 << 52 : 1 << 32))
    }
    return isNegative ? sum.negated() : sum
  }
}
