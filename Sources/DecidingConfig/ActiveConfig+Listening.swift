extension ActiveConfig {
  /// Has a handler told of a section: now, if there is one, and whenever it comes, changes or goes (nil).
  ///
  /// The handler is not called inside this call, and hears of changes in their order, each with the section as
  /// that change left it. Every registration is one of its own. When several sections change at once, they are told
  /// in the order of their names, and each to its listeners in the order in which these came.
  ///
  /// - Returns: What keeps the registration; it ends when this is released.
  public func register(
    section: String, _ handler: @escaping @Sendable (ConfigSection?) -> Void
  ) -> ConfigSubscription {
    ConfigSubscription(announcer.register(SectionID(section), .section(handler)), in: announcer)
  }

  /// Has a handler told of a section as by ``register(section:_:)``, with the section as it was and the keys that
  /// came, changed and went. The first delivery has no section as it was: all keys came. A closure that trails
  /// the call has no label, and is taken for the other form.
  @_disfavoredOverload
  public func register(
    section: String, changes handler: @escaping @Sendable (ConfigChange) -> Void
  ) -> ConfigSubscription {
    ConfigSubscription(announcer.register(SectionID(section), .changes(handler)), in: announcer)
  }

  /// Ends a registration: its handler is not called any more, also for what was queued. One of another front is
  /// left alone.
  public func unregister(_ subscription: ConfigSubscription) {
    if subscription.belongs(to: announcer) { announcer.unregister(subscription.id) }
  }

  /// What a listener of the section would be told, as a stream. It ends when the front goes away, after what was
  /// queued; who stops listening is forgotten.
  public func updates(section: String) -> AsyncStream<ConfigSection?> {
    let (stream, continuation) = AsyncStream.makeStream(of: ConfigSection?.self)
    let id = announcer.register(SectionID(section), .stream(continuation))
    continuation.onTermination = { [weak announcer] _ in announcer?.unregister(id) }
    return stream
  }

  /// The notices of downloads from now on, in a stream of its own for each call. It ends when the front goes
  /// away, after what was queued.
  public var notices: AsyncStream<ConfigNotice> {
    let (stream, continuation) = AsyncStream.makeStream(of: ConfigNotice.self)
    let id = announcer.addStream(continuation)
    continuation.onTermination = { [weak announcer] _ in announcer?.removeStream(id) }
    return stream
  }
}
