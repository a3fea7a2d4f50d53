public import Specifications

extension QuantileProjector {
  /// Writes the values of every segment in ascending order, and the ledger.
  public func write(_ state: State, to writer: inout StateWriter) {
    state.segments.writeSegments(to: &writer)
    var values = SegmentTable(KeptValues())
    let places = state.segments.placesInOrder
    for (place, list) in state.values.tallies.enumerated() {
      let (segment, measure) = state.values.segment(at: place)
      guard let written = places[Int(segment)] else { continue }
      values.tallies[values.place(of: written, measure)] = list
    }
    values.write(to: &writer, where: { !$0.list.isEmpty }) { values, writer in
      writer.write(tally: values.repeated)
      writer.write(UInt64(values.list.count))
      for value in values.list.sorted(by: { !$1.isTotallyOrdered(belowOrEqualTo: $0) }) {
        writer.write(value)
      }
    }
    state.ledger.write(to: &writer)
  }

  /// Reads a state.
  ///
  /// - Throws: `StateError` if the bytes are not a state.
  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    let segments = try state.segments.readSegments(from: &reader, codes)
    let measures = QuantileMeasure.allCases.count
    try state.values.read(
      from: &reader,
      subject: { (reader) throws(StateError) in
        segments[try reader.readCount(below: segments.count)]
      },
      value: { (reader) throws(StateError) in UInt32(try reader.readCount(below: measures)) }
    ) { (reader) throws(StateError) in
      var values = KeptValues()
      values.repeated = try reader.readTally()
      for _ in 0..<(try reader.readCount()) { values.list.append(try reader.readDouble()) }
      return values
    }
    state.ledger = try ConversionLedger(from: &reader)
    return state
  }
}
