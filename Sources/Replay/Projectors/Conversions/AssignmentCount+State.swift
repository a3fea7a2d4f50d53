internal import Specifications

extension SegmentTable<AssignmentCount> {
  /// Writes the segments with exposures, sorted by variant and value.
  func writeSegments(to writer: inout StateWriter) {
    write(to: &writer, where: { $0.exposures > 0 }) { count, writer in
      writer.write(tally: count.exposures)
      writer.write(tally: count.units)
    }
  }

  /// For each index of a segment, its number among those that are written; nil for one without exposures.
  var placesInOrder: [UInt32?] {
    let order = tallies.indices.filter { tallies[$0].exposures > 0 }.sorted {
      segment(at: $0) < segment(at: $1)
    }
    var places = [UInt32?](repeating: nil, count: count)
    for (written, place) in order.enumerated() { places[place] = UInt32(written) }
    return places
  }

  /// Reads segments, and returns the index of each in the table, by its number.
  ///
  /// - Throws: `StateError` if the bytes are not segments.
  mutating func readSegments(
    from reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> [UInt32] {
    let variants = try codes.indices { AssignmentRun.variants($0).variants }
    let limit = AssignmentRun.variants(codes.storedArms).variants.count
    var places: [UInt32] = []
    for _ in 0..<(try reader.readCount()) {
      let stored = try reader.readCount(below: limit)
      let variant = variants?[stored] ?? UInt32(stored)
      let place = place(of: variant, try codes.readValue(&reader))
      places.append(UInt32(place))
      tallies[place] = AssignmentCount(
        exposures: try reader.readTally(), units: try reader.readTally())
    }
    return places
  }
}
