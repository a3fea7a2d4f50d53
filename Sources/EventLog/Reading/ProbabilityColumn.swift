internal import Events

/// The probabilities that decisions gave their choices: the concatenated numbers of all rows.
public struct ProbabilityColumn: Sendable {
  /// The numbers of all rows, in order.
  public private(set) var dense: [Double] = []
  /// For each row, the start of its numbers in ``dense``; the last entry is the end.
  public private(set) var starts: [Int32] = [0]
  /// For each row, 0 or less if no probabilities are given, else their number plus 1.
  private var counts: [Int32] = []

  /// Creates an empty column.
  init() {}

  /// Reads the column of a frame.
  init(_ reader: FrameReader) throws(LogError) {
    var buffers = ReadBuffers()
    try load(reader, &buffers)
  }

  /// The probabilities of a row, in the order of its choices; nil if none are given. The row must be one of the
  /// batch's.
  public subscript(row: Int) -> ArraySlice<Double>? {
    guard counts[row] > 0 else { return nil }
    return dense[Int(starts[row])..<Int(starts[row + 1])]
  }

  /// Whether a row has probabilities, even if there are none of them. The row must be one of the batch's.
  package func hasNumbers(_ row: Int) -> Bool { counts[row] > 0 }

  /// Calls the closure with every row that has probabilities, and those, in order.
  public func forEach(_ body: (_ row: Int, _ probabilities: ArraySlice<Double>) -> Void) {
    for row in counts.indices {
      if let own = self[row] { body(row, own) }
    }
  }

  /// Reads the column of a frame, reusing the memory of this one.
  ///
  /// - Throws: ``LogError`` if the counts do not match the numbers.
  mutating func load(_ reader: FrameReader, _ buffers: inout ReadBuffers) throws(LogError) {
    try reader.integers(.probabilityCount, into: &counts, &buffers)
    let entry = reader.frame.entry(.probabilities)
    let announced = Int(entry?.values ?? 0)
    // A constant number takes no bytes, so its memory must be bounded.
    let most = EventRecord.largestProbabilityCount * 4
    let total = Self.add(counts, into: &starts)
    guard total <= announced else {
      throw reader.log.damage(
        "more probabilities than the \(announced) that are there", reader.frame)
    }
    guard total <= most else {
      throw reader.log.damage("\(total) probabilities, more than a frame may have", reader.frame)
    }
    guard let entry else {
      dense.removeAll(keepingCapacity: true)
      return
    }
    try reader.denseNumbers(entry, count: total, into: &dense, &buffers)
  }

  /// Computes the start of the numbers of each row.
  ///
  /// - Returns: The total number of numbers.
  private static func add(_ counts: [Int32], into starts: inout [Int32]) -> Int {
    starts.resize(to: counts.count + 1)
    var begins = starts.mutableSpan
    var total = 0
    for row in counts.indices {
      begins[row] = Int32(truncatingIfNeeded: total)
      total &+= max(0, Int(counts[row]) - 1)
    }
    begins[counts.count] = Int32(truncatingIfNeeded: total)
    return total
  }
}
