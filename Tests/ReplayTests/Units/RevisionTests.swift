import EventLog
import Events
import Specifications
import TestSupport
import Testing

@testable import Replay

@Suite("Revisions of units")
struct RevisionTests {
  private static let arms = (0..<12).map { (number: UInt32) -> Arm in
    Arm(experiment: 1 + number / 6, point: 1 + number / 3 % 2, slot: 1, variant: 1 + number % 3)
  }
  private static let context = UnitContext(
    arms: arms, values: [.unknown, .text("a")], latest: 100)

  @Test("extending a history changes a state as subtracting and adding it does")
  func extending() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<(LongTests.areWanted ? 2_000 : 100) {
      let attribution = Self.attribution(&random)
      let units = (1...6).map { Self.history(&random, unit: UInt32($0)) }
      Self.check(VisitProjector(inactivity: 10, crossing: attribution.crossing), units, &random)
      Self.check(ConversionProjector(attribution), units, &random)
      Self.check(ConversionProjector(attribution, of: .goals), units, &random)
      Self.check(RewardProjector(attribution), units, &random)
      Self.check(SeriesProjector(attribution), units, &random)
      for metric in [.reward, .converted, .decisions, .visits] as [Metric.Count] {
        Self.check(MetricProjector(metric, attribution: attribution), units, &random)
      }
      var before = MetricProjector(.reward, attribution: attribution)
      before.covariatePeriod = 20
      Self.check(before, units, &random)
    }
  }

  private static func check<P: RevisableUnitProjector>(
    _ projector: P, _ units: [[UnitEvent]], _ random: inout SeededGenerator
  ) {
    var total = projector.makeState(context)
    var added = projector.makeState(context)
    var removed = projector.makeState(context)
    var expected = projector.makeState(context)
    for history in units {
      projector.apply(history.span, to: &expected)
      let starts = (1..<history.count).filter { !history[$0 - 1].kind.isNote }
      guard let start = starts.isEmpty ? nil : starts[random.index(starts.count)] else {
        projector.apply(history.span, to: &added)
        continue
      }
      projector.apply(history.span.extracting(..<start), to: &total)
      projector.extend(history.span, from: start, in: &added, &removed)
    }
    projector.merge(added, into: &total)
    projector.subtract(removed, from: &total)
    #expect(bytes(projector, total) == bytes(projector, expected), "\(projector)")
  }

  private static func bytes<P: RevisableUnitProjector>(_ projector: P, _ state: P.State) -> [UInt8] {
    var writer = StateWriter()
    projector.write(state, to: &writer)
    return writer.bytes
  }

  @Test("a revision has the histories that earlier events and all of them have")
  func histories() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      let events = (0..<random.index(40)).map { _ in
        Self.event(&random, time: Int64(random.index(30)), unit: UInt32(4 * random.index(5)))
      }
      let middle = random.index(events.count + 1)
      var (before, all): ([UInt32: [UnitEvent]], [UInt32: [UnitEvent]]) = ([:], [:])
      var order = UnitOrder(bucketCount: 4)
      order.forEachRevision(
        Array(events[..<middle]), Array(events[middle...]), arms: Self.arms
      ) { earlier, complete, isExtended in
        if isExtended {
          let start = complete.extracting(..<earlier.count)
          #expect(earlier.indices.allSatisfy { "\(earlier[$0])" == "\(start[$0])" })
        }
        if !earlier.isEmpty { before[earlier[0].unit] = earlier.indices.map { earlier[$0] } }
        if !complete.isEmpty { all[complete[0].unit] = complete.indices.map { complete[$0] } }
      }
      #expect("\(Self.sorted(before))" == "\(Self.histories(events[..<middle]))")
      #expect("\(Self.sorted(all))" == "\(Self.histories(events[...]))")
    }
  }

  private static func sorted(_ units: [UInt32: [UnitEvent]]) -> [[UnitEvent]] {
    units.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func histories(_ events: ArraySlice<UnitEvent>) -> [[UnitEvent]] {
    var result: [[UnitEvent]] = []
    var order = UnitOrder(bucketCount: 4)
    order.forEachUnit(Array(events), arms: arms) { history, _ in
      result.append(history.indices.map { history[$0] })
    }
    return result
  }

  // MARK: Random events

  private static func attribution(_ random: inout SeededGenerator) -> Attribution {
    let window = random.chance(0.5) ? Int64(random.index(30)) : nil
    return Attribution(
      limit: random.chance(0.3) ? 1 : nil,
      end: random.chance(0.3) ? Timestamp(microseconds: Int64(random.index(80))) : nil,
      excludesInProgress: random.chance(0.3), crossing: random.chance(0.5) ? .first : .drop
    ).limited(to: window)
  }

  /// A history in order. Often it ends with exposures only, for which there are fast paths.
  private static func history(_ random: inout SeededGenerator, unit: UInt32) -> [UnitEvent] {
    var time: Int64 = 0
    var events: [UnitEvent] = []
    let isPlain = random.chance(0.3)
    let count = 1 + random.index(12)
    for number in 0..<count {
      time += random.chance(0.2) ? 0 : Int64(random.index(15))
      var event = event(&random, time: time, unit: unit)
      while event.kind == .provisional || event.kind == .confirmation
        || (isPlain || number > count / 2 && random.chance(0.8)) && !event.kind.isExposure
      {
        event = Self.event(&random, time: time, unit: unit)
      }
      if event.kind == .decision, random.chance(0.1) {
        events.append(
          UnitEvent(
            time: time, number: .nan, unit: unit, experiment: 0, subject: UInt32(random.index(2)),
            kind: .dimension, hasNumber: false))
      }
      if event.kind == .goal, random.chance(0.3) {
        events.append(
          UnitEvent(
            time: time, number: .nan, unit: unit, experiment: event.experiment,
            subject: UInt32(random.index(12)), kind: .goalPlace, hasNumber: false))
      }
      events.append(event)
    }
    var history = UnitHistory()
    history.load(events, arms: arms)
    return history.events
  }

  private static func event(
    _ random: inout SeededGenerator, time: Int64, unit: UInt32
  ) -> UnitEvent {
    let kinds: [UnitEvent.Kind] = [
      .decision, .decision, .decision, .repeated, .goal, .goal, .conversion, .refusedGoal,
      .excluded, .activity, .provisional, .confirmation,
    ]
    let kind = kinds[random.index(kinds.count)]
    let isOfArm = kind.isDecision || kind == .confirmation
    let subject = UInt32(isOfArm ? random.index(arms.count) : 1 + random.index(2))
    let experiment = UInt32(1 + random.index(2))
    return UnitEvent(
      time: time, number: [0.1, 1, 2.5, 1.0 / 3][random.index(4)], unit: unit,
      experiment: isOfArm
        ? arms[Int(subject)].experiment
        : kind == .goal || kind == .refusedGoal ? experiment : 0,
      subject: subject, kind: kind, hasNumber: random.chance(0.7))
  }
}
