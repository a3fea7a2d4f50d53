extension FrameReader {
  /// Returns the last sequences of producers that are recorded in the frame.
  func producers() throws(LogError) -> [(producer: UInt64, sequence: UInt64)] {
    guard let producers = frame.entry(.producers) else { return [] }
    guard let sequences = frame.entry(.sequences), sequences.values == producers.values,
      producers.values <= UInt32(ProducerRegister.largestCount)
    else { throw log.damage("producers without as many sequences", producers, frame) }
    let count = Int(producers.values)
    let names = try integers(producers, count: count, as: Int64.self)
    let last = try integers(sequences, count: count, as: Int64.self)
    return zip(names, last).map {
      (producer: UInt64(bitPattern: $0), sequence: UInt64(bitPattern: $1))
    }
  }

  /// Returns the operations on the log that are recorded in the frame.
  func notes() throws(LogError) -> TextList {
    guard let entry = frame.entry(.notes) else { return TextList() }
    return try denseTexts(entry, count: Int(entry.values))
  }
}

extension LogReader {
  /// Returns the operations on the log other than appending, in order: one JSON object each, as written by `log erase`
  /// and `log repair`.
  ///
  /// - Throws: ``LogError`` if one cannot be read.
  /// - Complexity: O(number of columns of all frames).
  public func notes() throws(LogError) -> [String] {
    var texts: [String] = []
    for frame in frames where frame.entry(.notes) != nil {
      let list = try FrameReader(log: self, frame: frame).notes()
      for index in 0..<list.count { texts.append(String(decoding: list[index], as: UTF8.self)) }
    }
    return texts
  }
}
