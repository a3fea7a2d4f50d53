/// A thread of the system, which must be joined or detached.
package struct SystemThread: @unchecked Sendable {
  private let id: pthread_t

  /// Starts a thread that calls a closure; nil if the system has no thread left.
  package init?(_ body: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      var id: pthread_t?
    #else
      var id = pthread_t()
    #endif
    // Safety: the thread takes over the reference that it is given; if none is started, it is released here.
    let box = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe pthread_create(
      &id, nil,
      { box in
        if let box = unsafe box as UnsafeMutableRawPointer? {
          unsafe Unmanaged<Body>.fromOpaque(box).takeRetainedValue().body()
        }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      return nil
    }
    #if canImport(Darwin)
      guard let id else { return nil }
    #endif
    self.id = id
  }

  /// Waits for the end of the thread.
  package func join() { pthread_join(id, nil) }

  /// Lets the thread end by itself, with nobody waiting.
  package func detach() { pthread_detach(id) }

  private final class Body: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
