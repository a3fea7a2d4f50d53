extension ActiveConfig {
  /// Registers a handler for a section: it is called now, if the section exists, and whenever it is added,
  /// changed or removed (nil).
  ///
  /// The handler is not called within this call. It receives the changes in order, each with the section as
  /// that change left it. Every registration is independent. When several sections change at once, they are
  /// delivered in the order of their names, and each to its listeners in the order of registration.
  ///
  /// - Returns: The registration, which ends when this is released.
  public func register(
    section: String, _ handler: @escaping @Sendable (ConfigSection?) -> Void
  ) -> ConfigSubscription {
    ConfigSubscription(announcer.register(SectionID(section), .section(handler)), in: announcer)
  }

  /// Registers a handler for a section as ``register(section:_:)`` does, which also receives the previous
  /// section and the keys that were added, changed and removed. In the first delivery there is no previous
  /// section, and all keys are added. A trailing closure has no label, and selects the other form.
  @_disfavoredOverload
  public func register(
    section: String, changes handler: @escaping @Sendable (ConfigChange) -> Void
  ) -> ConfigSubscription {
    ConfigSubscription(announcer.register(SectionID(section), .changes(handler)), in: announcer)
  }

  /// Ends a registration: its handler is not called any more, not even for queued deliveries. A registration
  /// of another `ActiveConfig` is ignored.
  public func unregister(_ subscription: ConfigSubscription) {
    if subscription.belongs(to: announcer) { announcer.unregister(subscription.id) }
  }

  /// Returns a stream of what a listener of the section would receive. It ends after the queued deliveries
  /// when the `ActiveConfig` is released; a consumer that stops listening is removed.
  public func updates(section: String) -> AsyncStream<ConfigSection?> {
    let (stream, continuation) = AsyncStream.makeStream(of: ConfigSection?.self)
    let id = announcer.register(SectionID(section), .stream(continuation))
    continuation.onTermination = { [weak announcer] _ in announcer?.unregister(id) }
    return stream
  }

  /// The notices of downloads from now on; each access returns a new stream. It ends after the queued notices
  /// when the `ActiveConfig` is released.
  public var notices: AsyncStream<ConfigNotice> {
    let (stream, continuation) = AsyncStream.makeStream(of: ConfigNotice.self)
    let id = announcer.addStream(continuation)
    continuation.onTermination = { [weak announcer] _ in announcer?.removeStream(id) }
    return stream
  }
}
