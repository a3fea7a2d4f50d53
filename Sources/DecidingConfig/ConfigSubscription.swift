/// A registration of a listener for a section. It lasts until it is passed to ``ActiveConfig/unregister(_:)``
/// or released.
public final class ConfigSubscription: Sendable {
  let id: Int
  // Weak, so that a listener that holds its own subscription does not keep the listeners of a released
  // `ActiveConfig` alive.
  private weak let announcer: Announcer?

  init(_ id: Int, in announcer: Announcer) {
    self.id = id
    self.announcer = announcer
  }

  deinit { announcer?.unregister(id) }

  /// Returns whether the subscription belongs to the announcer.
  func belongs(to other: Announcer) -> Bool { announcer === other }
}

/// A serial queue, whose closures run in order in a task that ends when the queue is released and empty.
final class SerialQueue: Sendable {
  private let jobs: AsyncStream<@Sendable () -> Void>.Continuation

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
    jobs = continuation
    Task.detached { for await job in stream { job() } }
  }

  deinit { jobs.finish() }

  func run(_ job: @escaping @Sendable () -> Void) { jobs.yield(job) }
}
