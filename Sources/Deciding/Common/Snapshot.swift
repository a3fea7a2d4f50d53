internal import Events

/// A state and how far in the log it is: JSON with sorted keys,
/// `{"position":12,"state":{},"system":"rollouts","version":1}`.
struct Snapshot<State: DecidingState> {
  /// The version that this code writes, and the only one that it reads.
  static var version: Int64 { 1 }

  /// How deep a snapshot may be nested: what it puts around a configuration comes on top of what an event may hold.
  private static var deepestNesting: Int { JSONValue.deepestNesting + 32 }

  /// Number of events that the state has taken into account: the position of the next one.
  let position: UInt64
  let state: State

  init(position: UInt64, state: State) {
    self.position = position
    self.state = state
  }

  /// The snapshot as JSON.
  func text(system: SystemID) -> String {
    // A state holds only what events brought, which is finite, and sums that are kept finite, so encoding does not
    // fail.
    let state = (try? JSONValue(encoding: state)) ?? .null
    let json: JSONValue = [
      "position": .integer(Int64(clamping: position)), "state": state,
      "system": .string(system.rawValue),
      "version": .integer(Self.version),
    ]
    return json.description
  }

  /// Reads a snapshot of that system.
  ///
  /// - Throws: ``SnapshotProblem``: it is of another system or version, or not whole. The log is replayed
  ///   instead.
  init(parsing text: String, system: SystemID) throws(SnapshotProblem) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: Array(text.utf8), deepest: Self.deepestNesting)
    } catch {
      throw SnapshotProblem("it is no JSON: \(error)")
    }
    guard let version = json["version"]?.integer, let name = json["system"]?.string else {
      throw SnapshotProblem("it names no system and version")
    }
    guard SystemID(name) == system else {
      throw SnapshotProblem("it is of \(name), not of \(system)")
    }
    guard version == Self.version else {
      throw SnapshotProblem("it is of version \(version), and this reads version \(Self.version)")
    }
    guard let position = json["position"]?.integer, position >= 0, let state = json["state"] else {
      throw SnapshotProblem("it has no position or no state")
    }
    do {
      self.init(position: UInt64(position), state: try state.decoded(as: State.self))
    } catch let error as DecodingError {
      throw SnapshotProblem("state: " + JSONValue.explanation(of: error))
    } catch {
      throw SnapshotProblem("state: \(error)")
    }
  }
}

/// Why a snapshot does not fit.
struct SnapshotProblem: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason + "; replay the log instead" }
}
