internal import EventLog
internal import Platform
package import Specifications
internal import Threads

extension LogReplay {
  /// Returns the results of several projectors over all units, from one pass over the log.
  ///
  /// The events of units take 32 bytes each until they are processed, in memory up to a third of ``memoryLimit``
  /// and beyond it in a temporary file in the folder of the log (or the system's own). Half is for the state of each
  /// variant, or value of the dimension within it, and the rest for the units that the threads work on.
  ///
  /// - Parameters:
  ///   - selection: The part of the log to read.
  ///   - projectors: The projectors to run.
  /// - Returns: The results.
  /// - Throws: `LogError` if a frame cannot be read or the temporary file fails; ``GroupLimitError`` if there are more
  ///   groups than ``memoryLimit`` allows.
  public func run<each P: UnitProjector>(
    _ selection: UnitSelection, units projectors: repeat each P
  ) throws -> (repeat (each P).Result) {
    try LogUnits(self, selection).run(units: repeat each projectors)
  }

  /// Reads the log and partitions the needed events by unit, into about the requested number of buckets. The known
  /// arms keep their indices.
  ///
  /// - Parameters:
  ///   - selection: The part of the log to read.
  ///   - needs: The needed events.
  ///   - known: The arms that keep their indices.
  ///   - knownValues: The values that keep theirs.
  ///   - bucketCount: About how many buckets to make; nil for a number that depends on that of the events.
  ///   - singleUnits: How goals are credited, to keep units with a single decision apart; nil to collect the events of
  ///     all units.
  ///   - dimensions: The dimensions in which decisions have values by their numbers, none of names or data points;
  ///     empty for that of the selection.
  /// - Returns: The units.
  /// - Throws: `LogError` if the log cannot be read.
  package func collect(
    _ selection: UnitSelection, _ needs: UnitNeeds, known: ArmRegister = ArmRegister(),
    knownValues: [DimensionValue] = [], bucketCount: Int? = nil, singleUnits: Attribution? = nil,
    dimensions: [Dimension] = []
  ) throws -> CollectedUnits {
    var (collector, names) = try collector(
      selection, needs, bucketCount: bucketCount,
      singleUnits: selection.keepsSingles(needs) ? singleUnits : nil)
    if !dimensions.isEmpty { (collector.dimensions, collector.numbersDecisions) = (dimensions, true) }
    return CollectedUnits(
      try run(collector).parts(), collector, log, known: known, knownValues: knownValues, names)
  }

  /// Reads the log once and partitions the needed events of each of several experiments by unit, as ``collect`` does
  /// for one of them.
  ///
  /// - Parameters:
  ///   - selections: For each experiment, the same selection but for itself and its times.
  ///   - needs: The needed events: decisions and goals alone belong to an experiment.
  ///   - singleUnits: How goals are credited, to keep units with a single decision apart; nil to collect the events of
  ///     all units.
  /// - Returns: The units.
  /// - Throws: `LogError` if the log cannot be read.
  package func collectEach(
    _ selections: [UnitSelection], _ needs: UnitNeeds, singleUnits: Attribution?
  ) throws -> CollectedExperiments {
    let (collector, names) = try collector(
      UnitSelection(covering: selections), needs, mostBuckets: mostBuckets(ofEach: selections.count),
      singleUnits: selections.allSatisfy { $0.keepsSingles(needs) } ? singleUnits : nil)
    let projector = ExperimentCollector(collector, selections)
    return CollectedExperiments(try run(projector), projector, log, names)
  }

  /// Returns the most buckets of each of several experiments: few, as each may have few events, but more where a thread
  /// has room for a small part of a large experiment only.
  private func mostBuckets(ofEach experiments: Int) -> Int {
    memoryLimit == nil ? 64 : min(max(64, 1 << 16 / experiments), 2_048)
  }

  private func collector(
    _ selection: UnitSelection, _ needs: UnitNeeds, bucketCount: Int? = nil,
    mostBuckets: Int = 2_048, singleUnits: Attribution?
  ) throws -> (UnitCollector, LogNames) {
    if memoryLimit != nil { SystemLimits.returnLargeBlocks() }
    let names = try LogNames(log, namedVocabularies(selection))
    var collector = UnitCollector(
      needs: needs, selection: selection, standard: StandardNames(names), bucketCount: 1,
      memoryLimit: memoryLimit.map { $0 / 3 / jobs } ?? .max,
      experimentLimit: Int(log.codeLimit(.experiments)),
      variantLimit: Int(log.codeLimit(.variants)),
      folder: log.path, dimensions: selection.dimension.map { [$0] } ?? [])
    if case .data(let kind, let key) = selection.dimension {
      // A kind or key that is not in the log has no data point.
      collector.dataPoint = (
        names.code(of: kind, in: .dataKinds) ?? .max,
        key.map { names.code(of: $0, in: .keys) ?? .max }
      )
    }
    let events = Int(clamping: log.eventCount(where: collector.filter))
    collector.bucketCount = UnitBuckets.bucketCount(
      atLeast: bucketCount ?? min(max(events >> 15, 4 * jobs), mostBuckets))
    collector.singleUnits = singleUnits
    return (collector, names)
  }

  private func namedVocabularies(_ selection: UnitSelection) -> Set<Vocabulary> {
    switch selection.dimension {
    case .policy: [.points, .slots, .policies]
    case .reason: [.points, .slots, .reasons]
    case .data: [.points, .slots, .dataKinds, .keys]
    default: [.points, .slots]
    }
  }
}

/// A type-erased projector with the combined state of all threads.
package protocol UnitSlotting: Sendable {
  var needs: UnitNeeds { get }
  /// See ``UnitProjector/bytesPerGroup``.
  var bytesPerGroup: Int { get }
  /// See ``UnitProjector/bytesPerRow``.
  var bytesPerRow: Int { get }
  /// Creates the working state of one thread.
  func makeRun(_ context: UnitContext) -> any UnitRunning
  /// Returns the combined state as it is written with other codes.
  func written(_ context: UnitContext, _ codes: StateCodes) throws(StateError) -> [UInt8]
  /// Reads a state and merges it into the combined one.
  func add(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError)
  /// Returns a slot of the same projector without a state.
  func emptied() -> any UnitSlotting
  /// Merges the combined state of a slot of the same projector into the own one, with other values of the dimension if
  /// they are given.
  func merge(_ other: any UnitSlotting, _ values: [UInt32]?)
  /// Subtracts the combined state of a slot of the same projector, whose units have no events in experiments.
  func subtract(_ other: any UnitSlotting)
  /// A text that is the same for projectors that do the same; nil unless the projector is a ``SharableProjector``.
  var identity: String? { get }
}

/// By default units contribute nothing.
extension UnitSlotting {
  package func emptied() -> any UnitSlotting { self }
  package func merge(_ other: any UnitSlotting, _ values: [UInt32]?) {}
  package func subtract(_ other: any UnitSlotting) {}
  package var identity: String? { "" }
}

/// A projector running on one thread.
package protocol UnitRunning: AnyObject {
  func apply(_ history: Span<UnitEvent>, _ lateness: Int64)
  /// The number of groups so far.
  var groupCount: Int { get }
  /// See ``UnitProjector/groupKind``.
  var groupKind: GroupLimitError.Kind { get }
  /// Merges the thread's state into the combined one.
  func finish()
}

/// A projector with the combined state of all threads.
package final class UnitSlot<P: UnitProjector>: UnitSlotting {
  fileprivate let projector: P
  private let total = Monitor<P.State?>(nil)

  package init(_ projector: P) { self.projector = projector }

  package var needs: UnitNeeds { projector.needs }

  package var bytesPerGroup: Int { projector.bytesPerGroup }

  package var bytesPerRow: Int { projector.bytesPerRow }

  package func makeRun(_ context: UnitContext) -> any UnitRunning {
    UnitRun(self, context)
  }

  /// Returns the result of the combined state.
  package func result(_ context: UnitContext) -> P.Result {
    projector.result(of: total.withLock { $0 } ?? projector.makeState(context), context)
  }

  package func written(_ context: UnitContext, _ codes: StateCodes) throws(StateError) -> [UInt8] {
    let state = total.withLock { $0 } ?? projector.makeState(context)
    var writer = StateWriter()
    try projector.write(state, to: &writer)
    var reader = StateReader(writer.bytes)
    let translated = try projector.read(&reader, codes)
    writer.removeAll()
    try projector.write(translated, to: &writer)
    return writer.bytes
  }

  package func add(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) {
    merge(try projector.read(&reader, codes))
  }

  package func emptied() -> any UnitSlotting { UnitSlot(projector) }

  package func merge(_ other: any UnitSlotting, _ values: [UInt32]?) {
    guard let state = (other as? UnitSlot)?.total.withLock({ $0 }) else { return }
    guard let values, let sharable = projector as? any SharableProjector else { return merge(state) }
    if let state = sharable.renumbered(state, values) as? P.State { merge(state) }
  }

  package func subtract(_ other: any UnitSlotting) {
    guard let sharable = projector as? any SharableProjector,
      let state = (other as? UnitSlot)?.total.withLock({ $0 })
    else { return }
    total.withLock { total in
      if let own = exchange(&total, with: nil) {
        total = sharable.difference(own, state) as? P.State
      }
    }
  }

  package var identity: String? { projector is any SharableProjector ? String(reflecting: projector) : nil }

  /// Merges a state into the combined one.
  fileprivate func merge(_ state: consuming P.State) {
    let state = state
    total.withLock { total in
      guard var merged = total else {
        total = state
        return
      }
      total = nil
      projector.merge(state, into: &merged)
      total = merged
    }
  }

  final class UnitRun: UnitRunning {
    fileprivate let slot: UnitSlot
    fileprivate let projector: P
    private let context: UnitContext
    @exclusivity(unchecked) private var unchecked: P.State

    /// The state of the thread. Checking for each unit that no access to it is within another one would cost as much as
    /// what projectors do with the unit.
    fileprivate var state: P.State {
      // Safety: one thread alone has the run, and no method uses the state while another one changes it.
      _read { yield unsafe unchecked }
      _modify { yield unsafe &unchecked }
    }

    fileprivate init(_ slot: UnitSlot, _ context: UnitContext) {
      self.slot = slot
      self.context = context
      projector = slot.projector
      // Safety: nothing else has the run yet.
      unsafe unchecked = projector.makeState(context)
    }

    func apply(_ history: Span<UnitEvent>, _ lateness: Int64) {
      projector.apply(history, lateness: lateness, to: &state)
    }

    var groupCount: Int { projector.groupCount(of: state) }

    var groupKind: GroupLimitError.Kind { projector.groupKind }

    func finish() {
      // Move the state out: a table that is referenced twice would be copied by the next merge.
      let state = exchange(&self.state, with: projector.makeState(context))
      slot.merge(state)
    }
  }
}

extension UnitSlot: DecisionSlotting where P: DecisionProjector {
  package var distinguishesUnits: Bool { projector.distinguishesUnits }

  package func makeDecisionRun(_ context: UnitContext) -> any DecisionRunning { UnitRun(self, context) }
}

extension UnitSlot.UnitRun: DecisionRunning where P: DecisionProjector {
  func apply(_ rows: [CreditedDecision], of unit: UInt32) {
    projector.apply(rows, of: unit, to: &state)
  }

  func apply(_ single: SingleUnit) { projector.apply(single, to: &state) }
}
