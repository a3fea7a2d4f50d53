package import Events

/// A state and its position in the log: JSON with sorted keys,
/// `{"position":12,"state":{},"system":"rollouts","version":1}`, with `"instance":"name"` for a named
/// instance.
package struct Snapshot<State: DecidingState>: Sendable {
  /// The format version: the one that is written, and the only one that can be read.
  static var version: Int64 { 1 }

  /// The maximum nesting of a snapshot: that of an event, plus what a snapshot puts around it.
  private static var deepestNesting: Int { JSONValue.deepestNesting + 32 }

  /// The position in the log after the last event that was replayed or appended. Earlier events are reflected
  /// in the state.
  package private(set) var position: UInt64
  /// The instance name; nil when there is none.
  package let instance: InstanceID?
  package private(set) var state: State

  package init(position: UInt64, instance: InstanceID? = nil, state: State) {
    self.position = position
    self.instance = instance
    self.state = state
  }

  /// Applies an event after the position, unless it is of another system or instance.
  mutating func replay(_ next: (event: Event, position: UInt64?)) {
    let place = next.position ?? position
    guard place >= position else { return }
    state.apply(next.event, instance: instance)
    position = place == .max ? .max : place + 1
  }

  /// The snapshot as JSON.
  package var text: String {
    // A state contains only values from events, which are finite, and sums that are kept finite, so encoding
    // does not fail.
    let state = (try? JSONValue(encoding: state)) ?? .null
    var json: JSONObject = [
      "position": .integer(Int64(clamping: position)), "state": state,
      "system": .string(State.system.rawValue), "version": .integer(Self.version),
    ]
    json["instance"] = instance.map { .string($0.rawValue) }
    return JSONValue.object(json).typedText.text
  }

  /// Parses a snapshot of the system and instance, with the information that its types can read from the decoder.
  ///
  /// - Throws: ``SnapshotProblem`` when it is of another system, instance or version, or incomplete. The log
  ///   can be replayed instead.
  package init(
    parsing text: String, instance: InstanceID? = nil, userInfo: [CodingUserInfoKey: Any] = [:]
  ) throws(SnapshotProblem) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: Array(text.utf8), deepest: Self.deepestNesting)
    } catch {
      throw SnapshotProblem("it is no JSON: \(error)")
    }
    guard let version = json["version"]?.integer, let name = json["system"]?.string else {
      throw SnapshotProblem("it names no system and version")
    }
    guard SystemID(name) == State.system else {
      throw SnapshotProblem("it is of \(name), not of \(State.system)")
    }
    let named = json["instance"]?.string.map { InstanceID($0) }
    guard named == instance else {
      throw SnapshotProblem("it is of \(Self.words(named)), not of \(Self.words(instance))")
    }
    guard version == Self.version else {
      throw SnapshotProblem("it is of version \(version), and this reads version \(Self.version)")
    }
    guard let position = json["position"]?.integer, position >= 0, let state = json["state"] else {
      throw SnapshotProblem("it has no position or no state")
    }
    do {
      self.init(
        position: UInt64(position), instance: instance,
        state: try state.decoded(as: State.self, userInfo: userInfo))
    } catch let error as DecodingError {
      throw SnapshotProblem("state: " + JSONValue.explanation(of: error))
    } catch {
      throw SnapshotProblem("state: \(error)")
    }
  }

  private static func words(_ instance: InstanceID?) -> String {
    instance.map { "the instance \"\($0)\"" } ?? "an instance without a name"
  }
}

/// The reason why a snapshot cannot be used.
package struct SnapshotProblem: Error {
  package let reason: String

  package init(_ reason: String) { self.reason = reason + "; replay the log instead" }
}
