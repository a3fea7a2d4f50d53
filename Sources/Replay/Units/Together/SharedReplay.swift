internal import EventLog
internal import Threads

/// Several computations over the units of a log that share its passes.
///
/// A computation whose request is not answered yet ends with ``Pending``, and is made again from its start once the
/// requests of all computations were answered together. The log is read once for all requests, unless later ones need
/// more of it.
package final class SharedReplay: Sendable {
  /// The error that ends a computation whose request is not answered yet.
  struct Pending: Error {}

  private let replay: LogReplay
  private let content = Monitor(Content())

  private struct Content {
    var requests: [UnitRequest] = []
    /// The states so far, by part of the log and identity of the projector.
    var states: [UnitSelection: [String: any UnitSlotting]] = [:]
    /// The units that were collected, by what their requests have in common.
    var collected: [UnitSelection: DividedUnits] = [:]
    /// The counts of the log's rows, of all experiments.
    var audits: [UnitSelection: LogAudit] = [:]
    var sharedIDs: (events: Int, shared: Int)?
  }

  /// Creates a replay without requests; nil if its memory is limited, as a pass for each request needs less, or if
  /// states are exchanged with other logs.
  package init?(_ replay: LogReplay) {
    guard replay.memoryLimit == nil, replay.exchange == nil else { return nil }
    self.replay = replay
  }

  fileprivate func add(_ request: UnitRequest) { content.withLock { $0.requests.append(request) } }

  /// Returns the results of several computations.
  ///
  /// - Parameters:
  ///   - shared: What they share; nil to make one after the other.
  ///   - bodies: The computations, which may be made several times until they have all answers.
  ///   - say: Receives what they said the last time.
  /// - Returns: The results in the order of the computations.
  /// - Throws: The error of the first computation that has one.
  package static func results<Result>(
    _ shared: SharedReplay?, _ bodies: [(SharedComputation?) throws -> Result],
    saying say: (String) -> Void = { _ in }
  ) throws -> [Result] {
    guard let shared else { return try bodies.map { try $0(nil) } }
    let computations = bodies.map { _ in SharedComputation(shared) }
    defer { for computation in computations { computation.messages.forEach(say) } }
    var results: [Result?] = bodies.map { _ in nil }
    var failure: (place: Int, error: any Error)?
    var open = Array(bodies.indices)
    while !open.isEmpty {
      var next: [Int] = []
      for place in open {
        computations[place].restart()
        do {
          results[place] = try bodies[place](computations[place])
        } catch is Pending {
          next.append(place)
        } catch {
          failure = (place, error)
          break
        }
      }
      open = next
      if !open.isEmpty { try shared.answer() }
    }
    if let failure { throw failure.error }
    return results.compactMap { $0 }
  }

  private func answer() throws {
    let requests = content.withLock { content in
      for request in content.requests { request.take(content.states[request.selection] ?? [:]) }
      return exchange(&content.requests, with: [])
    }
    for (common, requests) in Dictionary(grouping: requests, by: \.common) {
      let known = content.withLock { $0.collected[common] }
      let units =
        if let known, known.cover(requests) { known } else {
          try DividedUnits(replay, requests, common)
        }
      content.withLock { $0.collected[common] = units }
      try units.answer(requests)
    }
    content.withLock { content in
      for request in requests {
        for (slot, identity) in request.projectors {
          if let identity { content.states[request.selection, default: [:]][identity] = slot }
        }
      }
    }
  }

  /// Returns the counts of the rows of a part of the log, but of all experiments.
  package func audit(_ selection: UnitSelection) throws -> LogAudit {
    var selection = selection
    (selection.experiments, selection.dimension) = (nil, nil)
    if let known = content.withLock({ $0.audits[selection] }) { return known }
    let audit = try LogAudit(replay, selection)
    content.withLock { $0.audits[selection] = audit }
    return audit
  }

  /// Returns the number of events with ids, and of those that share one.
  package func sharedIDs() throws -> (events: Int, shared: Int) {
    if let known = content.withLock({ $0.sharedIDs }) { return known }
    let ids = try replay.log.sharedIDs()
    content.withLock { $0.sharedIDs = ids }
    return ids
  }
}

/// A computation that shares passes with others.
package final class SharedComputation: Sendable {
  /// What it shares.
  package let shared: SharedReplay
  private let content = Monitor(Content())

  private struct Content {
    var requests: [UnitRequest] = []
    /// The number of the next request.
    var next = 0
    var messages: [String] = []
  }

  /// Creates a computation without requests.
  fileprivate init(_ shared: SharedReplay) { self.shared = shared }

  /// Starts the computation again, with the answers so far.
  fileprivate func restart() { content.withLock { ($0.next, $0.messages) = (0, []) } }

  /// Says something once it has all answers.
  package func say(_ text: String) { content.withLock { $0.messages.append(text) } }

  fileprivate var messages: [String] { content.withLock { $0.messages } }

  /// The context of the latest answer.
  var context: UnitContext {
    content.withLock { $0.next > 0 ? $0.requests[$0.next - 1].context : UnitContext() }
  }

  /// Fills the slots with the states of the selected units, and returns their context.
  ///
  /// - Throws: ``SharedReplay/Pending`` if the request is new.
  func answer(_ slots: [any UnitSlotting], _ selection: UnitSelection) throws -> UnitContext {
    let (request, isNew) = content.withLock { content in
      let isNew = content.next == content.requests.count
      if isNew { content.requests.append(UnitRequest(slots, selection)) }
      content.next += 1
      return (content.requests[content.next - 1], isNew)
    }
    if isNew {
      shared.add(request)
      throw SharedReplay.Pending()
    }
    for (slot, answer) in zip(slots, request.slots) { slot.merge(answer, nil) }
    return request.context
  }
}

/// The part of a log that a computation is about.
package struct SharedPart: Sendable {
  let computation: SharedComputation
  let selection: UnitSelection
}

/// A request for the states of projectors over the units of a part of a log.
final class UnitRequest: Sendable {
  /// The projectors, with their states once they are known.
  let slots: [any UnitSlotting]
  /// A text for each that is the same for projectors that do the same; see ``UnitSlotting/identity``.
  private let identities: [String?]
  /// The part of the log.
  let selection: UnitSelection
  private let answered = Monitor((context: UnitContext(), isKnown: [Bool]()))

  init(_ slots: [any UnitSlotting], _ selection: UnitSelection) {
    (self.slots, self.selection) = (slots, selection)
    identities = slots.map(\.identity)
    answered.withLock { $0.isKnown = slots.map { _ in false } }
  }

  /// The context of the states.
  var context: UnitContext {
    get { answered.withLock { $0.context } }
    set { answered.withLock { $0.context = newValue } }
  }

  /// Takes the states that are known already, by identity of the projector.
  func take(_ states: [String: any UnitSlotting]) {
    for (place, identity) in identities.enumerated() {
      guard let state = identity.flatMap({ states[$0] }) else { continue }
      slots[place].merge(state, nil)
      answered.withLock { $0.isKnown[place] = true }
    }
  }

  /// The projectors with their identities.
  var projectors: [(slot: any UnitSlotting, identity: String?)] {
    zip(slots, identities).map { ($0, $1) }
  }

  /// The projectors whose states are not known.
  var open: [(slot: any UnitSlotting, identity: String?)] {
    zip(projectors, answered.withLock { $0.isKnown }).filter { !$1 }.map(\.0)
  }

  /// The needed events.
  var needs: UnitNeeds { slots.reduce(into: []) { $0.formUnion($1.needs) } }

  /// What it must have in common with requests that are answered together: all but experiments and times, and a
  /// dimension that cannot be read beside others, as it has names or data points.
  var common: UnitSelection {
    var common = selection
    (common.experiments, common.since, common.until) = (nil, nil, nil)
    switch selection.dimension {
    case .context, .day, nil: common.dimension = nil
    case .policy, .reason, .data: break
    }
    return common
  }
}
