public import Events

/// The injected dependencies of a deciding system: clock, random generator, ids, locale and sink.
public struct Surroundings: Sendable {
  /// The source of time.
  public var time: any TimeSource
  /// The random generator. A system owns its copy: two with the same seed draw the same numbers.
  public var random: any RandomNumberGenerator & Sendable
  /// The source of ids for events and sessions, separate from ``random`` so that ids do not affect draws.
  public var ids: any IDSource
  /// The user's languages and country.
  public var locale: UserLocale
  /// The sink that events are appended to. It must not call the system.
  public var sink: any EventSink

  /// Creates surroundings with the given sink, and defaults for the rest: the machine's clock and random
  /// numbers, random UUIDs, and the locale of the environment.
  public init(
    time: any TimeSource = SystemTime(),
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    ids: any IDSource = RandomIDs(), locale: UserLocale = .system, sink: any EventSink
  ) {
    self.time = time
    self.random = random
    self.ids = ids
    self.locale = locale
    self.sink = sink
  }
}
