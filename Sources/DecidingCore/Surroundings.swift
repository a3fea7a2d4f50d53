public import Events

/// All that a deciding system may know of the world.
public struct Surroundings: Sendable {
  /// Where the time comes from.
  public var time: any TimeSource
  /// Where draws come from. A system owns its copy: two that are given the same seed draw the same numbers.
  public var random: any RandomNumberGenerator & Sendable
  /// Where the ids of events and sessions come from, apart from ``random``, so that draws are not disturbed.
  public var ids: any IDSource
  /// Whose languages and country are asked.
  public var locale: UserLocale
  /// What events are appended to. It must not call back.
  public var sink: any EventSink

  /// Names the sink, and takes the obvious for the rest: the machine's clock and random numbers, random
  /// UUIDs, and the locale of the environment.
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
