internal import Threads

/// The subscribers to changes. Each has its own stream, in which notices are buffered until they are read.
final class StudySubscribers: Sendable {
  private struct Content: Sendable {
    var next = 0
    var continuations: [Int: AsyncStream<StudyChange>.Continuation] = [:]
  }

  private let content = Monitor(Content())

  deinit {
    let continuations = content.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.finish() }
  }

  /// Whether there are no subscribers.
  var isEmpty: Bool { content.withLock { $0.continuations.isEmpty } }

  /// Returns a stream of the changes from now on.
  func subscribe() -> AsyncStream<StudyChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: StudyChange.self)
    let number = content.withLock { content in
      content.next += 1
      content.continuations[content.next] = continuation
      return content.next
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  /// Sends the notice to every stream. No code of a subscriber runs here: it is woken, and reads later.
  func tell(_ change: StudyChange) {
    content.withLock { content in
      for continuation in content.continuations.values { continuation.yield(change) }
    }
  }

  private func remove(_ number: Int) {
    // The continuation is released outside the lock, because its termination handler may call back.
    _ = content.withLock { $0.continuations.removeValue(forKey: number) }
  }
}
