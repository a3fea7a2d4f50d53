import Threads

/// The names that were seen by any copy of a reader, each of which reads a part of an input.
final class SeenNames: Sendable {
  private let seen = Monitor(Set<String>())

  var names: Set<String> { seen.withLock { $0 } }

  func add(_ name: String) { seen.withLock { _ = $0.insert(name) } }
}
