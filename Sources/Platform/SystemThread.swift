/// A thread of the system, which must be joined or detached.
package struct SystemThread: Sendable {
  /// The thread, as a number on every system.
  private let id: UInt

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
      self.id = UInt(bitPattern: id)
    #else
      self.id = UInt(id)
    #endif
  }

  /// Waits for the end of the thread.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself, with nobody waiting.
  package func detach() { pthread_detach(thread) }

  #if canImport(Darwin)
    // Safety: the number was made of this pointer, which is not null.
    private var thread: pthread_t { unsafe unsafeBitCast(id, to: pthread_t.self) }
  #else
    private var thread: pthread_t { pthread_t(id) }
  #endif

  private final class Body: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
