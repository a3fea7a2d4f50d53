public import Platform

/// Runs the body on as many threads, and waits until all of them have ended and hold on to nothing.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { number in startThread { body(number) } }
  for thread in threads { pthread_join(thread, nil) }
}

/// Starts a thread, which must be joined.
public func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
  var thread = pthread_t()
  // Safety: the thread takes over the reference that it is given.
  let box = unsafe Unmanaged.passRetained(ThreadBody(body))
  let code = unsafe pthread_create(
    &thread, nil,
    { box in
      if let box = unsafe box {
        unsafe Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().body()
      }
      return nil
    }, box.toOpaque())
  precondition(code == 0, "the system has no thread left")
  return thread
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Waits until something holds, however long that takes. Between two looks it naps, so that tests which run beside
/// this one have the processor.
public func yield(until holds: () -> Bool) {
  while !holds() { usleep(100) }
}
