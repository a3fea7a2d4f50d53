internal import Threads

/// The keys that a service accepts: those of a file, read again when the file has changed.
final class KeyRing: Sendable {
  private struct State {
    var keys: [KeyRecord]
    var stamp: FileStamp?
    /// Why the file could not be read again, and what that means; nil if it could.
    var problem: String?
    /// Messages for the operator that were not shown yet.
    var note: String?
  }

  private let path: String
  private let note: @Sendable (String) -> Void
  private let state: Monitor<State>

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - note: Called with a line when the file cannot be read again, and when it can.
  /// - Throws: ``KeyFileError`` if it cannot be read or is invalid.
  init(
    _ path: String, note: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(KeyFileError) {
    let file = try KeyFile(path)
    self.path = path
    self.note = note
    state = Monitor(State(keys: file.keys, stamp: file.stamp))
  }

  /// Returns the key with a text; nil if there is none.
  ///
  /// Every known key is compared, each in constant time.
  func key(_ text: String) -> ServiceKey? {
    let digest = KeyDigest(of: text)
    return read { state in
      var found: ServiceKey?
      for key in state.keys where key.digest.isEqual(to: digest) {
        found = ServiceKey(name: key.name, scopes: key.scopes)
      }
      return found
    }
  }

  /// Why the file, which has changed, could not be read again, and which keys are valid meanwhile; nil if it could.
  var problem: String? { read(\.problem) }

  /// Calls the closure with the state of the file as it is now, and tells what has changed.
  private func read<Answer: Sendable>(_ body: (State) -> Answer) -> Answer {
    let (answer, text) = state.withLock { state in
      refresh(&state)
      defer { state.note = nil }
      return (body(state), state.note)
    }
    if let text { note(text) }
    return answer
  }

  private func refresh(_ state: inout State) {
    let stamp = FileStamp(path)
    guard stamp != state.stamp else { return }
    let before = state.problem
    do throws(KeyFileError) {
      let file = try KeyFile(path)
      state = State(keys: file.keys, stamp: file.stamp)
      if before != nil { state.note = "the file of keys was read again: \(path)" }
    } catch {
      // Remembered, so that the same damaged file is not read for every request.
      state.stamp = stamp
      // Whoever removes the file wants its keys to be refused.
      if error.kind == .missing { state.keys = [] }
      let meaning =
        state.keys.isEmpty
        ? "every key is refused until the file is there"
        : "the keys that were read before remain valid"
      state.problem = "the file of keys cannot be read: \(error.message); \(meaning)"
      if state.problem != before { state.note = state.problem.map { "\(path): \($0)" } }
    }
  }
}
