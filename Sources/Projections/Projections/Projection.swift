internal import EventLog
internal import Replay
internal import Statistics
internal import Tables
internal import Threads

/// A projection that a database keeps: what is computed, and the tables that say it.
///
/// Another one is a projector that can be revised, and an entry in ``ReadModel/projections``. The version goes up when
/// the projector, its default parameters or the bytes of its state change: databases of older versions compute it anew
/// from the histories that they hold.
struct Projection<P: RevisableUnitProjector>: KeptProjection {
  let name: String
  let version: Int64
  /// The projector's parameters, in words.
  let parameters: String
  let projector: P
  /// The tables of a result.
  let tables: @Sendable (P.Result, LogNames) throws -> [Table]
  /// Views and indices beside the tables.
  let companions: [Companion]
  /// Whether the tables have rows with empty keys, as one for all variants has: such keys are no primary ones in SQL.
  var hasEmptyKeys = false

  func makeSlot(_ context: UnitContext) -> any ProjectionSlot {
    Slot(self, context, projector.makeState(context))
  }

  func makeSlot(_ bytes: [UInt8], _ context: UnitContext) throws -> any ProjectionSlot {
    Slot(self, context, try state(bytes, context))
  }

  /// The state that was kept.
  func state(_ bytes: [UInt8], _ context: UnitContext) throws -> P.State {
    guard HistoryChunk.isSealed(bytes) else {
      throw StateError("the state of \(name): a checksum does not match")
    }
    var reader = StateReader(bytes, 4..<bytes.count)
    let state = try projector.read(&reader, context)
    guard reader.isAtEnd else { throw StateError("the state of \(name) is too long") }
    return state
  }

  /// What all threads together have seen.
  private final class Slot: ProjectionSlot {
    private let projection: Projection
    private let context: UnitContext
    private let total: Monitor<P.State?>

    init(_ projection: Projection, _ context: UnitContext, _ state: P.State) {
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

    func tables(_ names: LogNames) throws -> [Table] {
      let state = total.withLock { $0 } ?? projection.projector.makeState(context)
      return try projection.tables(projection.projector.result(of: state, context), names)
    }

    /// What one thread has seen.
    private final class Run: ProjectionRun {
      private let slot: Slot
      private let projector: P
      private var added: P.State
      private var removed: P.State

      init(_ slot: Slot) {
        self.slot = slot
        projector = slot.projection.projector
        added = projector.makeState(slot.context)
        removed = added
      }

      func add(_ history: Span<UnitEvent>) { projector.apply(history, to: &added) }

      func remove(_ history: Span<UnitEvent>) { projector.apply(history, to: &removed) }

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

/// A view or an index beside a table.
struct Companion: Sendable {
  enum Kind: String, Sendable {
    case view = "VIEW"
    case index = "INDEX"
  }

  var kind: Kind
  var name: String
  /// What stands behind `CREATE VIEW NAME ` or `CREATE INDEX NAME `.
  var body: String
}

/// A projection of whatever type.
protocol KeptProjection: Sendable {
  var name: String { get }
  var version: Int64 { get }
  var parameters: String { get }
  var companions: [Companion] { get }
  var hasEmptyKeys: Bool { get }
  /// Nothing seen.
  func makeSlot(_ context: UnitContext) -> any ProjectionSlot
  /// What was kept.
  func makeSlot(_ bytes: [UInt8], _ context: UnitContext) throws -> any ProjectionSlot
}

/// A projection while a database is brought up to date.
protocol ProjectionSlot: Sendable {
  var name: String { get }
  /// Whether of a unit only those experiments need be revised in which it has new events.
  var isDividedByExperiments: Bool { get }
  func makeRun() -> any ProjectionRun
  func write() -> [UInt8]
  func tables(_ names: LogNames) throws -> [Table]
}

/// A projection at work on one thread.
protocol ProjectionRun: AnyObject {
  func add(_ history: Span<UnitEvent>)
  func remove(_ history: Span<UnitEvent>)
  /// Hands in what was seen.
  func finish()
}
