public import Specifications

/// A unit projector whose state can be revised: a unit's contribution can be subtracted, and added again once more is
/// known of the unit. A stored state can thus be updated with the new events of a log, including late ones, without
/// reading the old ones.
///
/// States must hold sums and counts only, nothing like a maximum or a first value over all units, because those cannot
/// be recomputed without one of the units.
public protocol RevisableUnitProjector: UnitProjector {
  /// Whether the contribution of a unit is the sum of the contributions of its events in each experiment separately,
  /// together with those in none; it must not read ``UnitEvent/isLate`` then. New events in one experiment then revise
  /// nothing in the others. False by default.
  var isDividedByExperiments: Bool { get }

  /// Replaces the contribution of a unit by that of a longer history, of which its earlier history is the beginning.
  ///
  /// By default, the earlier history is applied to one state and the longer one to the other. A projector may add less
  /// to both, as long as the difference between them is the same.
  ///
  /// - Parameters:
  ///   - history: The longer history, in order, with at least one new event.
  ///   - start: The number of events of the earlier history, at least 1.
  ///   - added: The state that is added to the total.
  ///   - removed: The state that is subtracted from it.
  func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State)

  /// Subtracts the contribution of some units from a state that contains them. The result must be that of a state
  /// without these units.
  func subtract(_ other: State, from state: inout State)

  /// Writes a state between two units.
  func write(_ state: State, to writer: inout StateWriter)
}

extension RevisableUnitProjector {
  /// False: all events of a unit are revised.
  public var isDividedByExperiments: Bool { false }

  public func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State
  ) {
    replace(history.extracting(..<start), by: history, in: &added, &removed)
  }

  /// Replaces the contribution of a unit's earlier history by that of all its events, either of which can be empty:
  /// the one is applied to the state that is subtracted, the other to the one that is added.
  public func replace(
    _ before: Span<UnitEvent>, by all: Span<UnitEvent>, in added: inout State,
    _ removed: inout State
  ) {
    if !before.isEmpty { apply(before, to: &removed) }
    if !all.isEmpty { apply(all, to: &added) }
  }
}

extension SegmentTable {
  /// Subtracts the tallies of another table.
  public mutating func subtract(_ other: SegmentTable, _ subtract: (Tally, inout Tally) -> Void) {
    // Subtraction looks up segments as addition does.
    merge(other, subtract)
  }

  /// Writes the table without empty segments, sorted by segment regardless of the order in which they appeared.
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

  /// Reads a table whose subjects are arms.
  ///
  /// - Throws: `StateError` if the bytes are not such a table.
  mutating func read(
    from reader: inout StateReader, _ codes: StateCodes,
    _ body: (inout StateReader) throws(StateError) -> Tally
  ) throws(StateError) {
    try read(
      from: &reader, subject: { (reader) throws(StateError) in try codes.readArm(&reader) },
      value: { (reader) throws(StateError) in try codes.readValue(&reader) }, body)
  }

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - reader: The reader of the bytes.
  ///   - subject: Reads a subject.
  ///   - value: Reads a value of the dimension.
  ///   - body: Reads a tally.
  /// - Throws: `StateError` if the bytes are not such a table.
  mutating func read(
    from reader: inout StateReader, subject: (inout StateReader) throws(StateError) -> UInt32,
    value: (inout StateReader) throws(StateError) -> UInt32,
    _ body: (inout StateReader) throws(StateError) -> Tally
  ) throws(StateError) {
    for _ in 0..<(try reader.readCount()) {
      let subject = try subject(&reader)
      let value = try value(&reader)
      tallies[place(of: subject, value)] = try body(&reader)
    }
  }
}
