package import EventLog
internal import Statistics
internal import Threads

/// The exchange of states between the parts of a computation over units that are made from different logs.
///
/// A report makes one or more passes over the units of a log, of which each may depend on the results of those before.
/// A part of the log contributes to one pass at a time: it is given the merged states of the passes before, and its own
/// state of this one is recorded. Where the states of all parts are merged, every pass takes its results from them.
package final class StateExchange: Sendable {
  /// Reads the states of one part of the log.
  package typealias Part = @Sendable () throws -> StatePass

  /// The errors that end a report whose state was recorded, or whose states do not suffice.
  package enum End: Error {
    /// The states of a pass, with the passes before it.
    case recorded(StatePass)
    /// All states are used up, and the report makes another pass.
    case needsPass(Int)
  }

  /// The merged states of the passes before, oldest first.
  private let given: [StatePass]
  /// The names of the log, those of the given states after its own; for merged states in canonical form.
  package let names: LogNames
  private let known: StateContext
  private let parts: [Part]?
  private let isRecording: Bool
  private let number = Monitor(0)
  /// The end of the data in microseconds; nil for the latest event.
  let dataEnd: Int64?
  /// The part of the units that the log has. Events of everyone, which all parts have, are counted by the first alone.
  package let shard: UnitShard

  /// Creates the exchange of a log, whose state of the next pass is recorded.
  ///
  /// - Throws: `LogError` if the names of the log cannot be read; `StateError` if the given states are damaged.
  package init(
    recording log: LogReader, shard: UnitShard = .whole, given: [StatePass], dataEnd: Int64?
  ) throws {
    var known = StateContext(
      names: try LogNames(log, Set(StateContext.vocabularies)), context: UnitContext())
    for pass in given { try known.append(try pass.decodedContext()) }
    self.given = given
    self.known = known
    self.dataEnd = dataEnd
    names = known.names
    parts = nil
    isRecording = true
    self.shard = shard
  }

  /// Creates the exchange of merged states.
  ///
  /// - Parameters:
  ///   - parts: The states of the same pass of all parts, which are read twice.
  ///   - given: The merged states of the passes before.
  ///   - isRecording: Whether the merged states are recorded, rather than used.
  ///   - dataEnd: The end of the data in microseconds; nil for the latest event.
  /// - Throws: `StateError` if a state is damaged, and errors of reading the parts.
  package init(
    merging parts: [Part], given: [StatePass], isRecording: Bool, dataEnd: Int64?
  ) throws {
    var union = ContextUnion()
    for pass in given { try union.add(try pass.decodedContext()) }
    var last: [UInt8] = []
    for part in parts {
      let pass = try part()
      if pass.context != last { try union.add(try pass.decodedContext()) }
      last = pass.context
    }
    known = try union.context()
    names = known.names
    self.given = given
    self.parts = parts
    self.isRecording = isRecording
    shard = .whole
    self.dataEnd = dataEnd
  }

  /// The context of merged states.
  var context: UnitContext {
    var context = known.context
    if let dataEnd { context.latest = dataEnd }
    return context
  }

  /// The arms and values that the given states have, so that those of a log follow.
  var knownArms: [Arm] { known.context.arms }
  var knownValues: [DimensionValue] { known.context.values }

  /// Fills the slots with the states of the next pass over units; records them instead where that was asked for.
  ///
  /// - Parameters:
  ///   - slots: The projectors.
  ///   - compute: Shows all units to the slots, and returns their context.
  /// - Returns: The context of the states.
  /// - Throws: ``End``; errors of the closure; `StateError` if states are damaged.
  func pass(_ slots: [any UnitSlotting], _ compute: () throws -> UnitContext) throws -> UnitContext {
    let number = number.withLock { number in
      defer { number += 1 }
      return number
    }
    if number < given.count {
      let pass = given[number]
      try add([{ pass }], to: slots)
      return context
    }
    guard number == given.count else { throw End.needsPass(number) }
    var own = known
    if let parts {
      try add(parts, to: slots)
    } else {
      own.context = try compute()
      if let dataEnd { own.context.latest = dataEnd }
    }
    guard isRecording else { return context }
    throw End.recorded(try StatePass(slots, own))
  }

  private func add(_ parts: [Part], to slots: [any UnitSlotting]) throws {
    var last: (context: [UInt8], codes: StateCodes)?
    for part in parts {
      let pass = try part()
      let codes =
        if let last, last.context == pass.context { last.codes } else {
          try StateCodes(
            try pass.decodedContext(), in: StateContext(names: names, context: context))
        }
      last = (pass.context, codes)
      try pass.add(to: slots, codes)
    }
  }
}
