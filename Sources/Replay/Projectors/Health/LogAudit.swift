internal import EventLog
package import Specifications
internal import Statistics

/// The data-quality counts of a log that do not need events grouped by unit: the propensities of decisions, and
/// removed events. Can be updated incrementally with new rows.
package struct LogAudit: Sendable {
  private var decisions = PropensityProjector().makeState()
  /// The number of positions without an event.
  package private(set) var absent = AbsentEventProjector.State()
  /// Whether events have ids, which only the log keeps.
  package private(set) var hasIDs = false

  /// Creates an empty audit.
  package init() {}

  /// Audits the selected part of a log; removed events are counted over the whole log.
  ///
  /// - Throws: `LogError` if a frame cannot be read.
  package init(_ replay: LogReplay, _ selection: UnitSelection) throws {
    decisions = try replay.run(PropensityProjector(selection))
    absent = try replay.run(AbsentEventProjector())
    hasIDs = replay.log.hasIDs()
  }

  /// Adds the events of a log from a position on, none of which may have been added before.
  ///
  /// - Throws: `LogError` if a frame cannot be read.
  package mutating func add(_ replay: LogReplay, from position: UInt64) throws {
    var selection = UnitSelection()
    selection.from = position
    let rows = PropensityProjector(selection)
    let gaps = AbsentEventProjector(from: position)
    rows.merge(try replay.run(rows), into: &decisions)
    gaps.merge(try replay.run(gaps), into: &absent)
    hasIDs = hasIDs || replay.log.hasIDs(from: position)
  }

  /// Returns how decisions were logged, by codes of the log.
  ///
  /// - Parameter experiments: The codes of the experiments to include; nil for all.
  /// - Returns: The tallies.
  package func propensities(of experiments: Set<UInt32>? = nil) -> PropensityTallies {
    var tallies = decisions.tallies
    guard let experiments else { return tallies }
    tallies.experiments = tallies.experiments.filter { experiments.contains($0.key) }
    tallies.variants = tallies.variants.filter { experiments.contains($0.key.experiment) }
    tallies.listings = tallies.listings.filter { experiments.contains($0.key.experiment) }
    return tallies
  }

  /// Writes the audit.
  package func write(to writer: inout StateWriter) {
    decisions.experiments.write(to: &writer, where: { $0.decisions > 0 }) { tally, writer in
      for count in PropensityTally.counts { writer.write(tally: tally[keyPath: count]) }
      tally.inverses.write(to: &writer)
      tally.excesses.write(to: &writer)
      writer.write(tally.greatestExcess)
    }
    decisions.variants.write(to: &writer, where: { $0.decisions > 0 }) { tally, writer in
      writer.write(tally: tally.chosen)
      writer.write(tally: tally.decisions)
      tally.expected.write(to: &writer)
      tally.squares.write(to: &writer)
    }
    decisions.listings.write(to: &writer, where: { $0 > 0 }) { $1.write(tally: $0) }
    writer.write(tally: absent.erased)
    writer.write(tally: absent.lost)
    writer.write(byte: hasIDs ? 1 : 0)
  }

  /// Adds the audit of other events.
  package mutating func merge(_ other: LogAudit) {
    PropensityProjector().merge(other.decisions, into: &decisions)
    AbsentEventProjector().merge(other.absent, into: &absent)
    hasIDs = hasIDs || other.hasIDs
  }

  /// Reads an audit that was written before.
  ///
  /// - Parameters:
  ///   - reader: The reader of the bytes.
  ///   - codes: The codes of the audit; by default those of the same log.
  /// - Throws: `StateError` if the bytes are not an audit.
  package init(
    from reader: inout StateReader, _ codes: StateCodes = StateCodes(UnitContext())
  ) throws(StateError) {
    try decisions.experiments.read(
      from: &reader,
      subject: { (reader) throws(StateError) in try codes.readName(.experiments, &reader) },
      value: { (reader) throws(StateError) in UInt32(try reader.readCount(below: 1)) }
    ) { (reader) throws(StateError) in
      var tally = PropensityTally()
      for count in PropensityTally.counts { tally[keyPath: count] = try reader.readTally() }
      tally.inverses = try Moments(from: &reader)
      tally.excesses = try Moments(from: &reader)
      tally.greatestExcess = try reader.readDouble()
      return tally
    }
    try decisions.variants.read(
      from: &reader,
      subject: { (reader) throws(StateError) in try codes.readName(.variants, &reader) },
      value: { (reader) throws(StateError) in try codes.readName(.experiments, &reader) }
    ) { (reader) throws(StateError) in
      var tally = CalibrationTally()
      tally.chosen = try reader.readTally()
      tally.decisions = try reader.readTally()
      tally.expected = try ExactSum(from: &reader)
      tally.squares = try ExactSum(from: &reader)
      return tally
    }
    try decisions.listings.read(
      from: &reader,
      subject: { (reader) throws(StateError) in try codes.readName(.variants, &reader) },
      value: { (reader) throws(StateError) in try codes.readName(.experiments, &reader) }
    ) { (reader) throws(StateError) in try reader.readTally() }
    absent.erased = try reader.readTally()
    absent.lost = try reader.readTally()
    hasIDs = try reader.readByte() == 1
  }
}
