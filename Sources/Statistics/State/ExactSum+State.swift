// The encoding of sums in a state:
//
//     sum      = flags:byte, specials?, first, count, count numbers
//     flags    = 1 for a negative sum, 2 if special values follow
//     specials = the numbers of positive infinities, negative infinities, and NaNs
//     moments  = count, sum of the values, sum of their squares
//
// The numbers are the chunks of the sum's magnitude from the first to the last nonzero one, so equal sums have equal
// bytes.

extension ExactSum {
  /// Writes the sum.
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
    var sum = WideSum()
    let flags = try reader.readByte()
    guard flags < 4 else { throw StateError("a sum has unknown flags") }
    if flags & 2 != 0 {
      sum.specials = SpecialValues(
        positiveInfinities: try reader.readTally(), negativeInfinities: try reader.readTally(),
        nans: try reader.readTally())
    }
    let first = try reader.readCount(below: 69)
    let count = try reader.readCount(below: 70 - first)
    for index in first..<first + count {
      sum.chunks[index] = Int64(try reader.readCount(below: index == 68 ? 1 << 52 : 1 << 32))
    }
    self.init(magnitude: sum, negative: flags & 1 != 0)
  }

  /// Creates the sum of a normalized nonnegative accumulator, or its negation; in a window if possible.
  private init(magnitude sum: WideSum, negative: Bool) {
    self.init()
    if sum.specials.isEmpty, sum.chunks[67] == 0, sum.chunks[68] == 0 {
      for index in 0..<67 where sum.chunks[index] != 0 {
        add(magnitude: UInt64(sum.chunks[index]), at: 32 * index, negative: negative)
      }
    } else {
      wide = [negative ? sum.negated() : sum]
    }
  }
}
