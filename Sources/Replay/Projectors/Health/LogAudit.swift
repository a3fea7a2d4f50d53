internal import EventLog
package import Specifications
internal import Statistics

/// The data-quality counts of a log that do not need events grouped by unit: the propensities of decisions, and
/// removed events. Can be updated incrementally with new rows.
package struct LogAudit: StateFields {
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
    var rows = PropensityProjector(selection)
    // What damage keeps from being counted unit by unit is not counted here either.
    if replay.log.policy == .skip { rows.others = HealthProjector().needs.columns }
    decisions = try replay.run(rows)
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
    decisions.merge(try replay.run(rows))
    absent.merge(try replay.run(gaps))
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

  package mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&decisions, other.decisions)
    visit(&absent, other.absent)
    visit(&hasIDs, other.hasIDs)
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
    try codes.read(&self, from: &reader)
  }
}
