internal import Threads

/// The keys that a service accepts: those of a file, read again when the file has changed.
final class KeyRing: Sendable {
  private struct State {
    var keys: [KeyRecord]
    var stamp: FileStamp?
    /// Why the file could not be read again; nil if it could.
    var problem: String?
  }

  private let path: String
  private let state: Monitor<State>

  /// Reads the file.
  ///
  /// - Throws: ``KeyFileError`` if it cannot be read or is invalid.
  init(_ path: String) throws(KeyFileError) {
    let file = try KeyFile(path)
    self.path = path
    state = Monitor(State(keys: file.keys, stamp: file.stamp))
  }

  /// Returns the key with a text; nil if there is none.
  ///
  /// Every known key is compared, each in constant time.
  func key(_ text: String) -> ServiceKey? {
    let digest = KeyDigest(of: text)
    return state.withLock { state in
      refresh(&state)
      var found: ServiceKey?
      for key in state.keys where key.digest.isEqual(to: digest) {
        found = ServiceKey(name: key.name, scopes: key.scopes)
      }
      return found
    }
  }

  /// Why the file, which has changed, could not be read again; nil if it could. The earlier keys remain valid.
  var problem: String? { state.withLock(\.problem) }

  private func refresh(_ state: inout State) {
    let stamp = FileStamp(path)
    guard stamp != state.stamp else { return }
    do throws(KeyFileError) {
      let file = try KeyFile(path)
      state = State(keys: file.keys, stamp: file.stamp)
    } catch {
      // Remembered, so that the same damaged file is not read for every request.
      state.stamp = stamp
      state.problem = error.description
    }
  }
}
