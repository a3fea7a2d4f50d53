public import Statistics

/// A projector of units whose state can be revised: what a unit added can be taken out again, and added anew when more
/// is known of the unit. So a state that was kept can be brought up to date with the new events of a log, late ones
/// too, without reading the old ones.
///
/// States must hold sums and counts only, nothing like a maximum or the first of all units: of those, what is left
/// without one unit cannot be told.
public protocol RevisableUnitProjector: UnitProjector {
  /// Whether what a unit adds is the sum of what its events in each experiment add on their own, with those that are in
  /// none; it must not look at ``UnitEvent/isLate`` then. New events in one experiment then revise nothing of the
  /// others. False by default.
  var isDividedByExperiments: Bool { get }

  /// Takes what was seen of some units out of a state that has it: what is left gives the result that it would give
  /// without these units.
  func subtract(_ other: State, from state: inout State)

  /// Writes a state between two units.
  func write(_ state: State, to writer: inout StateWriter)

  /// Reads back what was written with a context whose arms and values this one begins with.
  ///
  /// - Throws: `StateError` when the bytes are not a state.
  func read(_ reader: inout StateReader, _ context: UnitContext) throws(StateError) -> State
}

extension RevisableUnitProjector {
  /// False: all that a unit did is revised.
  public var isDividedByExperiments: Bool { false }
}

extension SegmentTable {
  /// Takes the tallies of another table out again.
  public mutating func subtract(_ other: SegmentTable, _ subtract: (Tally, inout Tally) -> Void) {
    // Taking out looks for places as adding does.
    merge(other, subtract)
  }

  /// Writes the table without segments of which nothing is left, ordered by segments whatever the order in which they
  /// appeared.
  public func write(
    to writer: inout StateWriter, where isLeft: (Tally) -> Bool,
    _ body: (Tally, inout StateWriter) -> Void
  ) {
    let order = tallies.indices.filter { isLeft(tallies[$0]) }.sorted { a, b in
      segment(at: a) < segment(at: b)
    }
    writer.write(UInt64(order.count))
    for place in order {
      let (subject, value) = segment(at: place)
      writer.write(UInt64(subject))
      writer.write(UInt64(value))
      body(tallies[place], &writer)
    }
  }

  /// Reads a table back.
  ///
  /// - Parameters:
  ///   - reader: The bytes.
  ///   - subjects: How many subjects there are.
  ///   - values: How many values of the dimension there are.
  ///   - body: Reads a tally.
  /// - Throws: `StateError` when the bytes are no table of those.
  public mutating func read(
    from reader: inout StateReader, subjects: Int, values: Int,
    _ body: (inout StateReader) throws(StateError) -> Tally
  ) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      let subject = UInt32(try reader.readCount(below: subjects))
      let value = UInt32(try reader.readCount(below: values))
      tallies[place(of: subject, value)] = try body(&reader)
    }
  }
}
