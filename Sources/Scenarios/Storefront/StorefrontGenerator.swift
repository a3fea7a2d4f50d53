import Events

/// The generator of the events of a ``Storefront``.
///
/// One visit after the other plans its events: immediate ones are returned next, later ones wait until the clock of
/// the visits has passed their collection time. Visits stop once the requested number of events is planned.
///
/// Memory: the units that may return, about 9 MB, and the waiting events, which are those of a few hours: a few
/// thousand when 5 million events take 30 days.
struct StorefrontGenerator: EventGenerator {
  let scenario: Storefront
  let events: Int
  let seed: UInt64
  let experiments = StorefrontExperiment.all
  let templates = StorefrontTemplates(StorefrontExperiment.all)

  var clock: StorefrontClock
  var streams: StorefrontStreams
  var units = StorefrontUnits()
  var thompson: ThompsonLogger
  var tallies: StorefrontTallies

  /// The number of events returned or waiting.
  private(set) var planned = 0
  private var ready: [PlannedEvent] = []
  private var nextReady = 0
  private var pending = PendingQueue<PlannedEvent>()

  /// The maximum number of events that one visit plans: three data points and a provisional decision in two slots with
  /// its confirmation, its goal and a refused one.
  private static let mostOfVisit = 8

  init(scenario: Storefront, events: Int, seed: UInt64) {
    (self.scenario, self.events, self.seed) = (scenario, events, seed)
    clock = StorefrontClock(days: Double(scenario.days), events: events)
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

  /// Whether a new unit is due. Units arrive in proportion to the events: one for every twelve of them, at least 20.
  private var isNewUnitDue: Bool {
    let expected = Double(planned) / Double(events) * max(20, Double(events) / 12)
    return Double(units.arrived) <= expected
  }

  /// Plans an immediate event of the current visit.
  mutating func plan(_ template: Int, for position: Int, _ detail: PlannedEvent.Detail = .plain) {
    ready.append(event(template, for: position, at: clock.now, detail))
  }

  /// Plans a later event, which is collected at its time or later still.
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

/// A planned event that has not been returned yet.
struct PlannedEvent: Sendable {
  /// The data of an event in addition to its template.
  enum Detail: Sendable {
    case plain
    /// A decision with the current probabilities of the adaptive logger for this variant.
    case adaptive(variant: Int)
    /// A repeated exposure with the propensity of the decision.
    case propensity(Double)
    /// A decision with the context of the unit at this position, with or without the prices of the choices.
    case context(position: Int, prices: Bool)
    /// The reward of a decision of the adaptive logger for this variant.
    case click(variant: Int)
    /// A goal with a value in cents.
    case value(cents: Int)
    /// A conversion with a revenue in cents.
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
  /// A unique number of the event, from 1 up.
  let order: UInt64
  let template: Int
  let detail: Detail
}
