/// A registration of one listener for one section. It lasts until it is given to
/// ``ActiveConfig/unregister(_:)`` or released.
public final class ConfigSubscription: Sendable {
  let id: Int
  // Weak, so that a listener that holds its own subscription does not keep the listeners of a front alive
  // that is gone.
  private weak let announcer: Announcer?

  init(_ id: Int, in announcer: Announcer) {
    self.id = id
    self.announcer = announcer
  }

  deinit { announcer?.unregister(id) }

  /// Whether it is of that announcer.
  func belongs(to other: Announcer) -> Bool { announcer === other }
}

/// Runs what it is given one after the other, in the order given, in a task of its own that ends when the queue
/// is released and empty.
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
