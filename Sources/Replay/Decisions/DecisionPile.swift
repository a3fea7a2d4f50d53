internal import EventLog

/// Decisions as they are collected, by one thread, before they are sorted.
package struct DecisionPile: Sendable {
  let sorting: DecisionSorting
  private let limit: Int
  private let folder: String
  private var held: [[CreditedDecision]] = [[]]
  private(set) var spilled: [SortedDecisions] = []
  private var file: TemporaryFile?
  private(set) var failure: LogError?

  /// Creates an empty pile.
  ///
  /// - Parameters:
  ///   - context: The context of the units, with ``UnitNeeds/hashes``.
  ///   - storage: How much is kept in memory.
  ///   - isGrouped: Whether decisions are visited by place and value of the dimension.
  package init(_ context: UnitContext, _ storage: DecisionStorage, grouped isGrouped: Bool) {
    sorting = DecisionSorting(isGrouped: isGrouped, hashes: context.hashes)
    (limit, folder) = (storage.decisionsOfThread, storage.folder)
  }

  /// Adds a decision.
  @inline(__always)
  package mutating func append(_ decision: CreditedDecision) {
    held[0].append(decision)
    if held[0].count >= limit { spill() }
  }

  private mutating func spill() {
    guard failure == nil else { return held[0].removeAll(keepingCapacity: true) }
    do throws(LogError) {
      if file == nil { file = try UnitBuckets.makeFile(reporting: folder) }
      guard let file else { return }
      spilled.append(try SortedDecisions(&held[0], sorting, spillingTo: file))
      held[0].removeAll(keepingCapacity: true)
    } catch {
      failure = error
    }
  }

  /// Adds the decisions of another thread.
  package mutating func merge(_ other: DecisionPile) {
    held += other.held
    spilled += other.spilled
    failure = failure ?? other.failure
  }

  mutating func takeHeld() -> [[CreditedDecision]] {
    exchange(&held, with: []).filter { !$0.isEmpty }
  }
}

/// Where decisions are kept while they are sorted.
package struct DecisionStorage: Sendable {
  /// The number of decisions beyond which a thread writes them to a file.
  let decisionsOfThread: Int
  /// The folder of temporary files.
  let folder: String

  /// In memory.
  package static let memory = DecisionStorage(decisionsOfThread: .max, folder: "")

  private init(decisionsOfThread: Int, folder: String) {
    (self.decisionsOfThread, self.folder) = (decisionsOfThread, folder)
  }

  /// Creates the storage of a source: an eighth of its memory limit, if it has one.
  package init(_ source: some UnitSource) {
    decisionsOfThread =
      source.memoryLimit.map {
        max(1, $0 / 8 / source.jobs / MemoryLayout<CreditedDecision>.stride)
      } ?? .max
    folder = TemporaryFile.folder
  }
}
