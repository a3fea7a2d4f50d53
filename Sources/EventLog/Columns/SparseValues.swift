/// Values with one dominant value: the encoding `sparse` of ``IntegerStream``.
struct SparseValues {
  private let usual: Int64
  private let othersCount: Int

  /// Encodes the values.
  ///
  /// - Returns: nil if no value makes up half of the values, or if the stream takes at least as many bytes as the
  ///   limit.
  init?(_ values: Span<Int64>, cheaperThan limit: Int) {
    let fixedCost = (values.count + 63) / 64 * 8 + StreamHeader.byteCount
    guard fixedCost < limit else { return nil }
    usual = Self.candidate(values)
    var others = 0
    var (low, high) = (Int64.max, Int64.min)
    for index in values.indices where values[index] != usual {
      others += 1
      low = min(low, values[index])
      high = max(high, values[index])
    }
    guard others * 2 < values.count else { return nil }
    othersCount = others
    let width = others == 0 ? 0 : BitPacking.width(of: UInt64(bitPattern: high &- low))
    guard fixedCost + BitPacking.byteCount(count: others, width: width) < limit else { return nil }
  }

  func write(_ values: Span<Int64>, to output: inout [UInt8]) {
    StreamHeader(encoding: .sparse, count: values.count, base: usual).write(to: &output)
    var others: [Int64] = []
    others.reserveCapacity(othersCount)
    for start in stride(from: 0, to: values.count, by: 64) {
      var word: UInt64 = 0
      for row in start..<min(start + 64, values.count) where values[row] != usual {
        word |= 1 &<< UInt64(row & 63)
        others.append(values[row])
      }
      output.appendLittleEndian(word)
    }
    IntegerStream.write(others, to: &output)
  }

  /// Returns the only value that can make up more than half of the values (R. S. Boyer and J. S. Moore, "MJRTY: a fast
  /// majority vote algorithm", 1991). Four independent votes run at once to avoid a dependency chain; their remainders
  /// are combined by a final vote, which is equivalent to a single one.
  private static func candidate(_ values: Span<Int64>) -> Int64 {
    var (a, b, c, d) = (Vote(), Vote(), Vote(), Vote())
    let whole = values.count & ~3
    for index in stride(from: 0, to: whole, by: 4) {
      a.count(values[index])
      b.count(values[index + 1])
      c.count(values[index + 2])
      d.count(values[index + 3])
    }
    for index in whole..<values.count { a.count(values[index]) }
    a.count(b)
    a.count(c)
    a.count(d)
    return a.candidate
  }
}

/// A majority vote: all but `votes` of the counted values can be paired off, each with a different one.
private struct Vote {
  var candidate: Int64 = 0
  var votes = 0

  @inline(__always)
  mutating func count(_ value: Int64) {
    candidate = votes == 0 ? value : candidate
    votes &+= value == candidate ? 1 : -1
  }

  mutating func count(_ other: Vote) {
    guard candidate != other.candidate else {
      votes += other.votes
      return
    }
    if votes < other.votes { candidate = other.candidate }
    votes = abs(votes - other.votes)
  }
}
