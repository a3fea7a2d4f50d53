internal import EventLog
internal import Threads

extension Replay {
  /// What each of the projectors computes from all units, in one reading of the log.
  ///
  /// The events of units take 32 bytes each until they were shown, in memory up to ``memoryLimit`` and beyond it in a
  /// temporary file in the folder of the log (or the system's own).
  ///
  /// - Parameters:
  ///   - selection: What of the log is looked at.
  ///   - projectors: What to compute.
  /// - Returns: The results.
  /// - Throws: `LogError` when a frame cannot be read or the temporary file fails.
  public func run<each P: UnitProjector>(
    _ selection: UnitSelection, units projectors: repeat each P
  ) throws -> (repeat (each P).Result) {
    try LogUnits(self, selection).run(units: repeat each projectors)
  }

  /// Reads the log and divides what is needed by units, into about as many buckets as are asked for. The arms that are
  /// known keep their indices.
  package func collect(
    _ selection: UnitSelection, _ needs: UnitNeeds, known: ArmRegister = ArmRegister(),
    bucketCount: Int? = nil
  ) throws -> CollectedUnits {
    let names = try LogNames(log, namedVocabularies(selection))
    var collector = UnitCollector(
      needs: needs, selection: selection, standard: StandardNames(names), bucketCount: 1,
      memoryLimit: memoryLimit.map { $0 / 2 / jobs } ?? .max,
      experimentLimit: Int(log.codeLimit(.experiments)),
      variantLimit: Int(log.codeLimit(.variants)),
      folder: log.path)
    if case .data(let kind, let key) = selection.dimension {
      // A kind or key that the log does not have has no data point.
      collector.dataPoint = (
        names.code(of: kind, in: .dataKinds) ?? .max,
        key.map { names.code(of: $0, in: .keys) ?? .max }
      )
    }
    let events = Int(clamping: log.eventCount(where: collector.filter))
    collector.bucketCount = UnitBuckets.bucketCount(
      atLeast: bucketCount ?? min(max(events >> 15, 4 * jobs), 2_048))
    let state = try run(collector)
    let vocabulary: Vocabulary = selection.dimension == .policy ? .policies : .reasons
    return CollectedUnits(
      state, bucketCount: collector.bucketCount, unitLimit: log.codeLimit(.units), known: known
    ) {
      names.string($0, in: vocabulary)
    }
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

/// A projector and what all threads together have seen, whatever its type.
protocol UnitSlotting: Sendable {
  var needs: UnitNeeds { get }
  /// What one thread uses.
  func makeRun(_ context: UnitContext) -> any UnitRunning
}

/// A projector at work on one thread.
protocol UnitRunning: AnyObject {
  func apply(_ history: Span<UnitEvent>, _ lateness: Int64)
  /// Hands in what was seen.
  func finish()
}

/// A projector and what all threads together have seen.
final class UnitSlot<P: UnitProjector>: UnitSlotting {
  private let projector: P
  private let total = Monitor<P.State?>(nil)

  init(_ projector: P) { self.projector = projector }

  var needs: UnitNeeds { projector.needs }

  func makeRun(_ context: UnitContext) -> any UnitRunning {
    UnitRun(self, projector.makeState(context))
  }

  /// The result of what all threads handed in.
  func result(_ context: UnitContext) -> P.Result {
    projector.result(of: total.withLock { $0 } ?? projector.makeState(context), context)
  }

  private final class UnitRun: UnitRunning {
    private let slot: UnitSlot
    private var state: P.State

    init(_ slot: UnitSlot, _ state: P.State) {
      self.slot = slot
      self.state = state
    }

    func apply(_ history: Span<UnitEvent>, _ lateness: Int64) {
      slot.projector.apply(history, lateness: lateness, to: &state)
    }

    func finish() {
      slot.total.withLock { total in
        guard var merged = total else {
          total = state
          return
        }
        total = nil
        slot.projector.merge(state, into: &merged)
        total = merged
      }
    }
  }
}
