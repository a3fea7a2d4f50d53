import Deciding
import Events
import TestSupport
import Threads

/// A clock that stands still until it is told to move. Whoever sleeps wakes when the clock has passed the time.
final class ManualTime: TimeSource {
  private struct Sleeper: Sendable {
    let id: Int
    let until: Timestamp
    let wake: CheckedContinuation<Void, any Error>
  }

  private struct Content: Sendable {
    var now: Timestamp
    var sleepers: [Sleeper] = []
    var nextID = 0
    var cancelled: Set<Int> = []
  }

  private let content: Monitor<Content>

  init(_ now: Timestamp = Timestamp(microseconds: 0)) { content = Monitor(Content(now: now)) }

  var now: Timestamp { content.withLock { $0.now } }

  /// How many sleep now.
  var sleeperCount: Int { content.withLock { $0.sleepers.count } }

  /// Moves the clock, and wakes whoever has slept long enough, in the order of their times.
  func advance(seconds: Double) {
    advance(microseconds: Int64((seconds * 1e6).rounded()))
  }

  func advance(microseconds: Int64) {
    let woken = content.withLock { content in
      content.now = Timestamp(microseconds: content.now.microseconds + microseconds)
      let now = content.now
      let woken = content.sleepers.filter { $0.until <= now }
      content.sleepers.removeAll { $0.until <= now }
      return woken.sorted { ($0.until, $0.id) < ($1.until, $1.id) }
    }
    for sleeper in woken { sleeper.wake.resume() }
  }

  func sleep(for duration: Duration) async throws {
    let (seconds, fraction) = duration.components
    let micros = seconds * 1_000_000 + fraction / 1_000_000_000_000
    let id = content.withLock { content in
      content.nextID += 1
      return content.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = content.withLock { content in
          if content.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if micros <= 0 { return .success(()) }
          let until = Timestamp(microseconds: content.now.microseconds + micros)
          content.sleepers.append(Sleeper(id: id, until: until, wake: wake))
          return nil
        }
        if let outcome { wake.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = content.withLock { content in
        guard let index = content.sleepers.firstIndex(where: { $0.id == id }) else {
          content.cancelled.insert(id)
          return nil as Sleeper?
        }
        return content.sleepers.remove(at: index)
      }
      sleeper?.wake.resume(throwing: CancellationError())
    }
  }
}

/// Ids that count up.
final class CountingIDs: IDSource {
  private let count = Monitor(0)
  private let prefix: String

  init(_ prefix: String = "id") { self.prefix = prefix }

  func next() -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return "\(prefix)-\(number)"
  }
}

/// A sink that refuses while it is told to, and keeps the rest.
final class MoodySink: EventSink {
  struct Refusal: Error, Equatable {}

  /// Whether a front says that a sink refused, and what: an event of somebody.
  static func isRefusal(_ error: any Error) -> Bool {
    let text = "\(error)"
    return text.contains("Refusal()") && text.contains(" of ")
  }

  private let refusing = Monitor(false)
  private let memory = MemorySink()

  var events: [Event] { memory.events }

  func refuse(_ isRefusing: Bool) { refusing.withLock { $0 = isRefusing } }

  func append(_ events: [Event]) throws -> Range<UInt64> {
    if refusing.withLock({ $0 }) { throw Refusal() }
    return try memory.append(events)
  }

  func flush() async throws {
    if refusing.withLock({ $0 }) { throw Refusal() }
  }
}

/// Numbers given one after the other, for ever beginning anew.
struct ScriptedGenerator: RandomNumberGenerator, Sendable {
  private let numbers: [UInt64]
  private(set) var index = 0

  init(_ numbers: [UInt64]) { self.numbers = numbers.isEmpty ? [0] : numbers }

  mutating func next() -> UInt64 {
    defer { index += 1 }
    return numbers[index % numbers.count]
  }
}

/// A small world for one test: a clock by hand, a seed, counted ids, and a sink in memory.
struct ManualWorld {
  let time = ManualTime()
  let sink = MoodySink()
  let surroundings: Surroundings

  init(
    seed: UInt64 = 1, locale: UserLocale = UserLocale(languages: ["en-US"], region: "US"),
    random: (any RandomNumberGenerator & Sendable)? = nil
  ) {
    surroundings = Surroundings(
      time: time, random: random ?? SeededGenerator(seed: seed), ids: CountingIDs(),
      locale: locale, sink: sink)
  }

  /// What was appended so far.
  var events: [Event] { sink.events }
}
