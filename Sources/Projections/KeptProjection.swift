internal import EventLog
internal import Replay
internal import Reports
internal import Specifications
internal import Tables
internal import Threads

extension KeptReport: KeptProjection {
  func makeSlot(_ context: UnitContext) -> any ProjectionSlot {
    Slot(self, context, projector.makeState(context))
  }

  func makeSlot(_ bytes: [UInt8], _ context: UnitContext) throws -> any ProjectionSlot {
    Slot(self, context, try state(bytes, context))
  }

  /// Decodes a stored state.
  func state(_ bytes: [UInt8], _ context: UnitContext) throws -> Projector.State {
    guard HistoryChunk.isSealed(bytes) else {
      throw StateError("the state of \(name): a checksum does not match")
    }
    var reader = StateReader(bytes, 4..<bytes.count)
    let state = try projector.read(&reader, StateCodes(context))
    guard reader.isAtEnd else { throw StateError("the state of \(name) is too long") }
    return state
  }

  /// The merged state of all threads.
  private final class Slot: ProjectionSlot {
    private let projection: KeptReport
    private let context: UnitContext
    private let total: Monitor<Projector.State?>

    init(_ projection: KeptReport, _ context: UnitContext, _ state: Projector.State) {
      self.projection = projection
      self.context = context
      total = Monitor(state)
    }

    var name: String { projection.name }

    var isDividedByExperiments: Bool { projection.projector.isDividedByExperiments }

    func makeRun() -> any ProjectionRun { Run(self) }

    func write() -> [UInt8] {
      total.withLock { total in
        var writer = StateWriter()
        if let total { projection.projector.write(total, to: &writer) }
        return HistoryChunk.sealed(writer.bytes)
      }
    }

    func tables(_ names: LogNames, _ propensities: PropensityTallies) throws -> [Table] {
      let state = total.withLock { $0 } ?? projection.projector.makeState(context)
      return try projection.tables(
        projection.projector.result(of: state, context), names, propensities)
    }

    /// The state of one thread.
    private final class Run: ProjectionRun {
      private let slot: Slot
      private let projector: Projector
      private var added: Projector.State
      private var removed: Projector.State

      init(_ slot: Slot) {
        self.slot = slot
        projector = slot.projection.projector
        added = projector.makeState(slot.context)
        removed = added
      }

      func add(_ history: Span<UnitEvent>) { projector.apply(history, to: &added) }

      func revise(_ before: Span<UnitEvent>, _ all: Span<UnitEvent>, isExtended: Bool) {
        if isExtended, !before.isEmpty {
          return projector.extend(all, from: before.count, in: &added, &removed)
        }
        projector.replace(before, by: all, in: &added, &removed)
      }

      func finish() {
        slot.total.withLock { total in
          guard var state = total else { return }
          total = nil
          projector.merge(added, into: &state)
          projector.subtract(removed, from: &state)
          total = state
        }
      }
    }
  }
}

/// A type-erased projection.
protocol KeptProjection: Sendable {
  var name: String { get }
  var version: Int64 { get }
  var parameters: String { get }
  var companions: [Companion] { get }
  var hasEmptyKeys: Bool { get }
  /// Creates a slot with an empty state.
  func makeSlot(_ context: UnitContext) -> any ProjectionSlot
  /// Creates a slot with a stored state.
  func makeSlot(_ bytes: [UInt8], _ context: UnitContext) throws -> any ProjectionSlot
}

/// A projection during an update of a database.
protocol ProjectionSlot: Sendable {
  var name: String { get }
  /// Whether a revision of a unit can be limited to the experiments in which it has new events.
  var isDividedByExperiments: Bool { get }
  func makeRun() -> any ProjectionRun
  func write() -> [UInt8]
  /// Returns the tables, given how the log's decisions were logged.
  func tables(_ names: LogNames, _ propensities: PropensityTallies) throws -> [Table]
}

/// A projection on one thread.
protocol ProjectionRun: AnyObject {
  func add(_ history: Span<UnitEvent>)
  /// Replaces the contribution of a unit's earlier history by that of all its events; either can be empty.
  ///
  /// - Parameters:
  ///   - before: The earlier history.
  ///   - all: The complete history.
  ///   - isExtended: Whether the earlier history is the beginning of the complete one.
  func revise(_ before: Span<UnitEvent>, _ all: Span<UnitEvent>, isExtended: Bool)
  /// Merges the state of the thread.
  func finish()
}
