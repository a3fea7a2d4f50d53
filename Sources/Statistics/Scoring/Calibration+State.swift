package import Specifications

// The encoding of a reliability diagram: the number of bins that are not empty, and for each its index, counts and sum.

extension Calibration {
  /// Writes the bins; empty ones take no bytes.
  package func write(to writer: inout StateWriter) {
    let used = storage.indices.filter { storage[$0].count > 0 }
    writer.write(UInt64(used.count))
    for index in used {
      writer.write(UInt64(index))
      writer.write(tally: storage[index].count)
      writer.write(tally: storage[index].positives)
      storage[index].confidences.write(to: &writer)
    }
  }

  /// Reads bins.
  ///
  /// - Throws: ``StateError`` if the bytes are not that number of bins.
  /// - Precondition: `count` is positive.
  package init(from reader: inout StateReader, bins count: Int) throws(StateError) {
    self.init(bins: count)
    for _ in 0..<(try reader.readCount(below: count + 1)) {
      let index = try reader.readCount(below: count)
      storage[index].count = try reader.readTally()
      storage[index].positives = try reader.readTally()
      storage[index].confidences = try FixedPointSum(from: &reader)
    }
  }
}
