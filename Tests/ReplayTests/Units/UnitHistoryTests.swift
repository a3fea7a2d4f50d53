import TestSupport
import Testing

@testable import Replay

@Suite("Histories of units")
struct UnitHistoryTests {
  private typealias Kind = UnitEvent.Kind
  private let arms = [Arm(experiment: 1, point: 1, slot: 1, variant: 1)]

  private func event(_ time: Int64, _ kind: UnitEvent.Kind, _ number: Double = 0) -> UnitEvent {
    UnitEvent(time: time, number: number, unit: 1, experiment: 1, subject: 0, kind: kind)
  }

  private func ordered(_ events: [UnitEvent]) -> [UnitEvent] {
    if UnitHistory.isInOrder(events.span) { return events }
    var history = UnitHistory()
    history.load(events, arms: arms)
    return history.events
  }

  @Test("at equal times decisions and confirmations come first, then log order decides")
  func ties() {
    let events = ordered([
      event(5, .goal, 1), event(5, .activity, 2), event(5, .decision, 3), event(5, .conversion, 4),
      event(5, .excluded, 5), event(4, .conversion, 6), event(5, .goal, 7), event(5, .repeated, 8),
    ])
    #expect(events.map(\.number) == [6, 3, 5, 8, 1, 2, 4, 7])
    #expect(events.map(\.isLate) == [true, false, false, false, false, false, false, false])
  }

  @Test(
    "few late events and many are sorted alike, by time, rank and log order", arguments: 0..<300)
  func late(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lateness = random.pick([1, 5, 1_000], or: 1)
    let share = random.pick([0.02, 0.3, 1], or: 1)
    let kinds: [Kind] = [.decision, .goal, .repeated, .conversion, .activity]
    let arrived = (0..<random.index(200)).map { index in
      let late = random.chance(share) ? random.index(lateness + 1) : 0
      return event(
        Int64(index / 2 - late), kinds[random.index(kinds.count)], Double(index))
    }
    let expected = arrived.sorted {
      ($0.time, $0.kind.rank, $0.number) < ($1.time, $1.kind.rank, $1.number)
    }
    #expect(ordered(arrived).map(\.number) == expected.map(\.number), "seed \(seed)")
  }

  @Test("annotations of an event stay right before it")
  func notes() {
    let events = ordered([
      event(5, .dataDimension, 1), event(5, .activity, 1), event(5, .goalPlace, 2),
      event(5, .goal, 2), event(5, .dimension, 3), event(5, .probabilities, 3),
      event(5, .decision, 3), event(5, .dimension, 4), event(5, .context, 4),
      event(5, .excluded, 4),
    ])
    let kinds: [Kind] = [
      .dimension, .probabilities, .decision, .dimension, .context, .excluded, .dataDimension,
      .activity, .goalPlace, .goal,
    ]
    #expect(events.map(\.kind) == kinds)
    #expect(events.map(\.number) == [3, 3, 3, 4, 4, 4, 1, 1, 2, 2])
  }

  @Test("a provisional decision moves to its confirmation with its annotations")
  func confirmed() {
    var confirmation = event(9, .confirmation)
    confirmation.hasNumber = false
    let events = ordered([
      event(1, .dataDimension, 1), event(1, .dimension, 2), event(1, .probabilities, 2),
      event(1, .provisional, 2), event(4, .dataDimension, 3), event(9, .goal, 4), confirmation,
    ])
    let kinds: [Kind] = [
      .dataDimension, .dataDimension, .dimension, .probabilities, .decision, .goal,
    ]
    #expect(events.map(\.kind) == kinds)
    #expect(events.map(\.time) == [1, 4, 9, 9, 9, 9])
  }

  @Test(
    "the order matches the definition, and sorted events are left as they are",
    arguments: 0..<2_000)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let kinds: [Kind] = [
      .decision, .repeated, .excluded, .unknown, .leftOut, .goal, .refusedGoal, .conversion,
      .activity, .optionTaken, .optionEncountered, .studyConfigured, .feature,
    ]
    let events = (0..<random.index(9)).map {
      event(Int64(random.index(4)), random.pick(kinds, or: .goal), Double($0))
    }
    let expected = events.enumerated().sorted { a, b in
      (a.element.time, a.element.kind.isDecision ? 0 : 1, a.offset)
        < (b.element.time, b.element.kind.isDecision ? 0 : 1, b.offset)
    }.map(\.element.number)
    #expect(ordered(events).map(\.number) == expected, "seed \(seed)")
    #expect(
      UnitHistory.isInOrder(events.span) == (events.map(\.number) == expected), "seed \(seed)")
  }
}
