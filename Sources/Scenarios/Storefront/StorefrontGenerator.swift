import Events

/// The events of a ``Storefront``.
///
/// One visit after the other plans its events: those of the moment are handed out next, later ones
/// wait until the clock of the visits has passed the moment of their collection. Visits stop when
/// the events that are planned are as many as were asked for.
///
/// Memory: the units that may return, about 9 MB, and the events that wait, which are those of a
/// few hours: a few thousand when 5 million events take 30 days.
struct StorefrontGenerator: EventGenerator {
  let scenario: Storefront
  let events: Int
  let seed: UInt64
  let experiments = StorefrontExperiment.all
  let templates = StorefrontTemplates()

  var clock: StorefrontClock
  var streams: StorefrontStreams
  var units = StorefrontUnits()
  var thompson: ThompsonLogger
  var tallies: StorefrontTallies

  /// Events handed out or waiting.
  private(set) var planned = 0
  private var ready: [PlannedEvent] = []
  private var nextReady = 0
  private var pending = PendingQueue<PlannedEvent>()

  /// The most events that one visit plans: three data points and a provisional decision in two
  /// slots with its confirmation, its goal and a refused one.
  private static let mostOfVisit = 8

  init(scenario: Storefront, events: Int, seed: UInt64) {
    (self.scenario, self.events, self.seed) = (scenario, events, seed)
    clock = StorefrontClock(days: scenario.days, events: events)
    streams = StorefrontStreams(seed: seed)
    let adaptive = experiments[StorefrontExperiment.Place.recommendations.rawValue]
    thompson = ThompsonLogger(variants: adaptive.slots[0].variants.count)
    tallies = StorefrontTallies(experiments)
  }

  mutating func next(into record: inout EventRecord) -> Bool {
    guard let event = nextEvent() else { return false }
    fill(&record, with: event)
    tallies.count(record)
    return true
  }

  private mutating func nextEvent() -> PlannedEvent? {
    while true {
      if nextReady < ready.count {
        nextReady += 1
        return ready[nextReady - 1]
      }
      let isLastVisitOver = planned >= events
      if let key = pending.nextKey, isLastVisitOver || key <= clock.now { return pending.pop() }
      if isLastVisitOver { return nil }
      ready.removeAll(keepingCapacity: true)
      nextReady = 0
      visit()
    }
  }

  private mutating func visit() {
    let before = planned
    let isShort = events - planned < Self.mostOfVisit
    if isNewUnitDue {
      let position = units.arrive(using: &streams.traits)
      if isShort { planVisitCount(of: position) } else { planFirstVisit(of: position) }
    } else {
      let position = units.comeBack(using: &streams.visitors)
      if isShort { planVisitCount(of: position) } else { planVisit(of: position) }
    }
    clock.advance(events: planned - before, using: &streams.gaps)
  }

  /// Units arrive in step with the events, so that there is one for every twelve of them, or 20.
  private var isNewUnitDue: Bool {
    let expected = Double(planned) / Double(events) * max(20, Double(events) / 12)
    return Double(units.arrived) <= expected
  }

  /// Plans an event of the current visit.
  mutating func plan(_ template: Int, for position: Int, _ detail: PlannedEvent.Detail = .plain) {
    ready.append(event(template, for: position, at: clock.now, detail))
  }

  /// Plans an event of a later moment, which is collected at that moment or later still.
  mutating func plan(
    _ template: Int, for position: Int, at time: Int64, lateness: Int64 = 0,
    _ detail: PlannedEvent.Detail = .plain
  ) {
    pending.push(event(template, for: position, at: time, detail), at: time + lateness)
  }

  private mutating func event(
    _ template: Int, for position: Int, at time: Int64, _ detail: PlannedEvent.Detail
  ) -> PlannedEvent {
    planned += 1
    return PlannedEvent(
      time: time, unit: units.recent[position].number, order: UInt64(planned), template: template,
      detail: detail)
  }
}

/// An event that was planned and has not been handed out.
struct PlannedEvent: Sendable {
  /// What an event has beyond its template.
  enum Detail: Sendable {
    case plain
    /// A decision with the present probabilities of the adaptive logger for this variant.
    case adaptive(variant: Int)
    /// A repeated exposure with the propensity of the decision.
    case propensity(Double)
    /// A decision with the context of the unit at this position, with or without the prices of the
    /// choices.
    case context(position: Int, prices: Bool)
    /// The reward of a decision of the adaptive logger for this variant.
    case click(variant: Int)
    /// A goal worth so many cents.
    case value(cents: Int)
    /// A conversion worth so many cents.
    case revenue(cents: Int)
    /// A conversion with a plan in its metadata.
    case plan(UInt8)
    /// A data point with one of the names of unit traits.
    case device(UInt8), dataPlan(UInt8), interest(UInt8)
    /// A data point with a number.
    case number(Int)
  }

  let time: Int64
  let unit: Int
  /// Tells the event apart from every other one, from 1 up.
  let order: UInt64
  let template: Int
  let detail: Detail
}
