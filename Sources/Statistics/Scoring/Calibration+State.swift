public import Specifications

// The encoding of a reliability diagram: the number of bins that are not empty, and for each its index, counts and sum.

extension Calibration: StateField {
  /// Writes the bins; empty ones take no bytes.
  public func write(to writer: inout StateWriter) {
    let used = storage.indices.filter { storage[$0].count > 0 }
    writer.write(UInt64(used.count))
    for index in used {
      writer.write(UInt64(index))
      writer.write(tally: storage[index].count)
      writer.write(tally: storage[index].positives)
      storage[index].confidences.write(to: &writer)
    }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.readCount(below: storage.count + 1)) {
      let index = try reader.readCount(below: storage.count)
      storage[index].count = try reader.readTally()
      storage[index].positives = try reader.readTally()
      try storage[index].confidences.read(from: &reader)
    }
  }
}
